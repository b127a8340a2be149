"""The tool `ask`."""

from collections.abc import Sequence

from ragcrawler.server.services.ask import ask
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.forms import AskForm
from ragcrawler.server.services.results import AnswerResult, StatementResult
from ragcrawler.server.tools.budget import USUAL, Shape, fit_items, fit_text
from ragcrawler.server.tools.forms import AskTool
from ragcrawler.server.tools.results import Answered, AnsweredStatement, AnswerSource


def ask_tool(collection: ServedCollection, given: AskTool) -> Answered:
    """The answer of the language model with its checked quotes; if no statement fits, a part of one."""
    answer = ask(collection, AskForm(question=given.question, site=given.site))

    def make(some: Sequence[StatementResult]) -> Answered:
        shown = [
            _statement(each, each.text, [citation.quote for citation in each.citations]) for each in some
        ]
        return _answered(answer, shown, USUAL)

    made, kept = fit_items(answer.statements, make, given.max_tokens)
    if kept or not answer.statements:
        return made
    first = answer.statements[0]

    def make_part(text: str, shape: Shape) -> Answered:
        return _answered(answer, [_statement(first, text, [])], shape)

    return fit_text(first.text, make_part, given.max_tokens) or made


def _statement(each: StatementResult, text: str, quotes: Sequence[str]) -> AnsweredStatement:
    sources = sorted({citation.source for citation in each.citations})
    return AnsweredStatement(text=text, sources=sources, quotes=list(quotes))


def _answered(answer: AnswerResult, shown: Sequence[AnsweredStatement], shape: Shape) -> Answered:
    cited = {source for each in shown for source in each.sources}
    quotes = sum(len(each.quotes) for each in shown)
    return Answered(
        answered=answer.answered,
        statements=list(shown),
        sources=[
            AnswerSource(
                source=each.source,
                title=shape.label(each.title),
                url=shape.url(each.link),
                suspicious=bool(each.suspicious),
            )
            for each in answer.sources
            if each.source in cited and shape.label_characters
        ],
        is_cut=quotes < sum(len(each.citations) for each in answer.statements),
    )
