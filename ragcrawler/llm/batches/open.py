"""Open the batch interface of the provider that the configuration names."""

from ragcrawler.llm.batches.anthropic_batches import AnthropicBatches
from ragcrawler.llm.batches.openai_batches import OpenAIBatches
from ragcrawler.llm.batches.protocol import BatchService
from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.protocol import LanguageModelError


def open_batch_service(config: LanguageModelConfig) -> BatchService:
    """The interface; nothing is sent yet.

    Raises:
        LanguageModelError: the provider has none, or its package is not installed.
    """
    if config.base_url or config.model.startswith("openai/"):
        return OpenAIBatches(config)
    if config.model.startswith("anthropic/"):
        return AnthropicBatches(config)
    raise LanguageModelError(
        f"there is no batch interface for LLM_MODEL={config.model!r}: it has to begin with openai/ or "
        "anthropic/, or LLM_BASE_URL to name a server with OpenAI's; else run without --batch"
    )
