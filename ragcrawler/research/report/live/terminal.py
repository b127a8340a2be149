"""A running research on a terminal."""

from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from ragcrawler.research.report.lineage import counted
from ragcrawler.research.report.live.state import LiveState, QuestionState
from ragcrawler.retrieval.formatting.printable import printable

_MOST_QUESTIONS = 10
_MOST_UNDER_WAY = 3


def live_terminal(state: LiveState) -> RenderableType:
    """The tree of questions, what is under way, what was found and spent; each line is cut at the border."""
    under_way = [_line(f"> {url}") for url in state.under_way[:_MOST_UNDER_WAY]]
    counts = (", ".join(f"{count} {name}" for name, count in of.items()) for of in (state.found, state.spend))
    return Group(_tree(state), *under_way, *(_line(line) for line in counts if line))


def _tree(state: LiveState) -> RenderableType:
    shown = state.tree(_MOST_QUESTIONS)
    left_out = len(state.questions) - len(shown)
    root = Tree(_line(state.record.goal), hide_root=bool(shown))
    branches = [root]
    for each in shown:
        del branches[each.level + 1 :]
        branches.append(branches[-1].add(_question(each)))
    if left_out:
        root.add(_line(f"and {counted(left_out, 'more question')}"))
    return root


def _question(state: QuestionState) -> Text:
    found = f"{counted(state.facts, 'fact')}, {counted(state.pages, 'page')}"
    return _line(f"{found}: {state.question.text}")


def _line(text: str) -> Text:
    """Text of strangers: rich reads no markup in it."""
    return Text(" ".join(printable(text).split()), no_wrap=True, overflow="ellipsis")
