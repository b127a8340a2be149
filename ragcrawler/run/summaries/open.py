"""A summariser with model and ledger, as the configuration says."""

from collections.abc import Callable

from ragcrawler.config.models.summaries import SummariesConfig
from ragcrawler.llm.calls import CallLedger, ModelCaller
from ragcrawler.llm.calls.open import open_async_model
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
        is_dry: ask nobody, and make no file: only what the ledger knows is given.

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
