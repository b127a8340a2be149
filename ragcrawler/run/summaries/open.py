"""A summariser with model and ledger, as the configuration says."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from ragcrawler.config.models.summaries import SummariesConfig
from ragcrawler.frontier.states.sqlite import FrontierStateError
from ragcrawler.llm.batches import open_batch_service
from ragcrawler.llm.calls.caller import ModelCaller
from ragcrawler.llm.calls.ledger import CallLedger
from ragcrawler.llm.calls.open import open_async_model
from ragcrawler.llm.protocol import LanguageModelError
from ragcrawler.run.saved_crawls.state_lock import StateLock
from ragcrawler.run.summaries.batches import SummaryBatches
from ragcrawler.run.summaries.summarizer import Summarizer, SummaryEmbedding

ACCOUNT = "summaries"


def open_summarizer(
    config: SummariesConfig,
    *,
    embedding: SummaryEmbedding | None = None,
    may_ask: Callable[[], bool] = lambda: True,
    is_dry: bool = False,
) -> Summarizer:
    """A summariser; nothing is sent yet.

    Args:
        config: of model, calls and prompt.
        embedding: what embeds summaries; used where the configuration wants them embedded.
        may_ask: says no once the crawl was interrupted.
        is_dry: ask no model, and make no file: only what the ledger knows is given.

    Raises:
        LanguageModelError: the model or the ledger cannot be opened.
    """
    model = open_async_model(config.model)
    path = None if is_dry and not config.ledger_path.exists() else config.ledger_path
    ledger = CallLedger(path)
    return Summarizer(
        ModelCaller(model, ledger, ACCOUNT, config.calls),
        ledger,
        config,
        embedding=embedding if config.is_embedded else None,
        may_ask=lambda: not is_dry and may_ask(),
    )


@asynccontextmanager
async def open_batches(config: SummariesConfig) -> AsyncIterator[SummaryBatches]:
    """Batches of summaries; nothing is sent yet.

    Raises:
        LanguageModelError: the provider has no batch interface, the ledger cannot be opened, or another
            process works on its batches.
    """
    async with AsyncExitStack() as stack:
        stack.enter_context(_lock(config.ledger_path))
        service = open_batch_service(config.model)
        stack.push_async_callback(service.close)
        ledger = CallLedger(config.ledger_path)
        stack.callback(ledger.close)
        yield SummaryBatches(service, ledger, ACCOUNT, config)


def _lock(ledger: Path) -> StateLock:
    """A batch that another process is about to submit must not pass for one that never arrived."""
    try:
        return StateLock(ledger.with_suffix(".batches"))
    except FrontierStateError as error:
        raise LanguageModelError(
            f"another process works on the batches of {ledger}: wait for its end, or stop it"
        ) from error
