"""The tool `ask`."""

from collections.abc import Sequence

from ragcrawler.server.services.ask import ask
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.forms import AskForm
from ragcrawler.server.services.results import AnswerResult, StatementResult
from ragcrawler.server.tools.budget import fit_items, label
from ragcrawler.server.tools.forms import AskTool
from ragcrawler.server.tools.results import Answered, AnsweredStatement, AnswerSource


def ask_tool(collection: ServedCollection, given: AskTool) -> Answered:
    """The answer of the language model with its checked quotes."""
    form = AskForm(question=given.question, site=given.site)
    answer = ask(collection, form)

    def make(some: Sequence[StatementResult]) -> Answered:
        return _answered(answer, some)

    return fit_items(answer.statements, make, given.max_tokens)[0]


def _answered(answer: AnswerResult, some: Sequence[StatementResult]) -> Answered:
    cited = {citation.source for each in some for citation in each.citations}
    return Answered(
        answered=answer.answered,
        statements=[
            AnsweredStatement(
                text=each.text,
                sources=sorted({citation.source for citation in each.citations}),
                quotes=[citation.quote for citation in each.citations],
            )
            for each in some
        ],
        sources=[
            AnswerSource(source=each.source, title=label(each.title), url=each.link)
            for each in answer.sources
            if each.source in cited
        ],
        is_cut=len(some) < len(answer.statements),
    )
