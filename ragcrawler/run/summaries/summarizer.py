"""Gives the chunks of documents their summaries."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ragcrawler.chunking import TokenCounter, with_summary
from ragcrawler.config.models.summaries import SummariesConfig
from ragcrawler.items import Document, SemanticChunk
from ragcrawler.llm.calls.budget import BudgetSpentError
from ragcrawler.llm.calls.caller import ModelCaller, ModelReply
from ragcrawler.llm.calls.ledger import CallLedger
from ragcrawler.llm.calls.model import CallRequest
from ragcrawler.llm.calls.usage import Price, Usage
from ragcrawler.llm.protocol import LanguageModelError
from ragcrawler.retrieval.formatting.printable import printable
from ragcrawler.run.summaries.summary_request import SummaryForm, summary_requests

logger = logging.getLogger(__name__)

Outcome = ModelReply[SummaryForm] | LanguageModelError | None


@dataclass(frozen=True, slots=True)
class SummaryEmbedding:
    """The model that embeds summaries with their passages.

    Attributes:
        tokens: the embedding model's counter.
        model: its name, part of `embed_hash`.
    """

    tokens: TokenCounter
    model: str


@dataclass(frozen=True, slots=True)
class Summarised:
    """A document, and how its summaries came about.

    Attributes:
        document: whose chunks have their summaries, but for those that failed or are missing.
        made: by calls of now.
        known: that the ledger had.
        failed: calls that brought nothing.
        missing: calls that were not made: the budget was spent, or none may be made.
        usage: of the calls of now.
        micro_dollars: their cost.
        errors: one a failed call.
    """

    document: Document
    made: int = 0
    known: int = 0
    failed: int = 0
    missing: int = 0
    usage: Usage = field(default_factory=Usage)
    micro_dollars: int = 0
    errors: tuple[LanguageModelError, ...] = field(default=())


class Summarizer:
    """Asks for a summary of each chunk; documents may be worked on side by side.

    Args:
        caller: makes the calls.
        ledger: of the calls, closed with it.
        config: of the summaries.
        embedding: where summaries are embedded with their passages, else None.
        may_ask: asked for each call that the ledger does not have; no lets it go unmade.

    Attributes:
        spent: what the budget said when it stopped the calls; None while it does not.
    """

    def __init__(
        self,
        caller: ModelCaller,
        ledger: CallLedger,
        config: SummariesConfig,
        *,
        embedding: SummaryEmbedding | None = None,
        may_ask: Callable[[], bool] = lambda: True,
    ) -> None:
        self._caller = caller
        self._ledger = ledger
        self._config = config
        self._embedding = embedding
        self._may_ask = may_ask
        self.spent: BudgetSpentError | None = None

    async def summarise(self, document: Document) -> Summarised:
        """The document with the summaries of its chunks; it never fails for want of one.

        The first call goes alone where all share a text: a provider's cache has it for the others then.
        """
        requests = list(summary_requests(document, self._config.wording))
        alone = 1 if requests and requests[0].prompt.document else 0
        outcomes = [await self._outcome(request) for request in requests[:alone]]
        outcomes += await asyncio.gather(*map(self._outcome, requests[alone:]))
        chunks = tuple(map(self._summarised, document.chunks, outcomes))
        return _counted(replace(document, chunks=chunks), outcomes, self._config.calls.price)

    async def close(self) -> None:
        """Wait for the calls that were sent, and close model and ledger."""
        await self._caller.close()
        await asyncio.to_thread(self._ledger.close)

    async def _outcome(self, request: CallRequest[SummaryForm]) -> Outcome:
        """The answer, the error, or None where it was not asked for."""
        try:
            if (known := await self._caller.find_known(request)) is not None:
                return known
            may_ask = self.spent is None and self._may_ask()
            return await self._caller.fill(request) if may_ask else None
        except BudgetSpentError as error:
            if self.spent is None:
                self.spent = error
                logger.warning("No more summaries are asked for: %s", error)
            return None
        except LanguageModelError as error:
            return error

    def _summarised(self, chunk: SemanticChunk, outcome: Outcome) -> SemanticChunk:
        if not isinstance(outcome, ModelReply):
            return chunk
        summary = " ".join(printable(outcome.form.summary).split())
        if self._embedding is None:
            return replace(chunk, summary=summary)
        return with_summary(chunk, summary, tokens=self._embedding.tokens, model=self._embedding.model)


def _counted(document: Document, outcomes: list[Outcome], price: Price) -> Summarised:
    replies = [outcome for outcome in outcomes if isinstance(outcome, ModelReply)]
    errors = tuple(outcome for outcome in outcomes if isinstance(outcome, LanguageModelError))
    known = sum(reply.was_paid_before for reply in replies)
    return Summarised(
        document=document,
        made=len(replies) - known,
        known=known,
        failed=len(errors),
        missing=outcomes.count(None),
        usage=sum((reply.usage for reply in replies), Usage()),
        micro_dollars=sum(price.micro_dollars(reply.usage) for reply in replies),
        errors=errors,
    )
