"""The settings of a service that embeds."""

from pathlib import Path

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader
from ragcrawler.embedding.remote.config import RemoteConfig

LOCAL = "local"
PROVIDERS = (LOCAL, "openai", "cohere")
_REQUEST_TOKENS = 16_384


def remote_config(read: SettingsReader) -> RemoteConfig | None:
    """How the service is reached; None where models run here.

    Raises:
        SettingError: a setting is invalid.
    """
    provider = read.choice("EMBEDDING_PROVIDER", PROVIDERS)
    if provider == LOCAL:
        return None
    tokenizer = read.text("EMBEDDING_TOKENIZER")
    return RemoteConfig(
        provider=provider,
        url=read.address("EMBEDDING_URL"),
        api_key=_key(read.text("EMBEDDING_API_KEY")),
        tokenizer=Path(tokenizer) if tokenizer else None,
        limit_tokens=read.integer("EMBEDDING_LIMIT_TOKENS", minimum=32),
        request_texts=read.integer("EMBEDDING_REQUEST_TEXTS", minimum=1),
        request_tokens=read.integer("EMBEDDING_BATCH_TOKENS") or _REQUEST_TOKENS,
        requests_at_once=read.integer("EMBEDDING_REQUESTS_AT_ONCE", minimum=1),
        requests_per_minute=read.integer("EMBEDDING_REQUESTS_PER_MINUTE"),
        tokens_per_minute=read.integer("EMBEDDING_TOKENS_PER_MINUTE"),
        most_requests=read.integer("EMBEDDING_BUDGET_REQUESTS"),
        most_tokens=read.integer("EMBEDDING_BUDGET_TOKENS"),
        timeout_seconds=read.number("EMBEDDING_TIMEOUT_SECONDS"),
        retries=read.integer("EMBEDDING_RETRIES"),
    )


def dense_model_name(read: SettingsReader) -> str:
    """The name by which the dense model is known here: a provider's begins with the provider.

    Raises:
        SettingError: a provider is set, but no model of it.
    """
    provider = read.choice("EMBEDDING_PROVIDER", PROVIDERS)
    name = read.text("EMBEDDING_MODEL") or "auto"
    if provider == LOCAL:
        return name
    if name == "auto":
        raise SettingError("EMBEDDING_MODEL", name, f"the name that EMBEDDING_PROVIDER={provider} gives it")
    return f"{provider}:{name.removeprefix(f'{provider}:')}"


def _key(key: str) -> str:
    """The key, if it is valid in an HTTP header."""
    if not (key.isascii() and key.isprintable()) or key != key.strip():
        raise SettingError("EMBEDDING_API_KEY", "(not shown)", "printable ASCII without spaces around it")
    return key
