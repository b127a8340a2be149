"""The settings of a service that embeds."""

from dataclasses import dataclass
from pathlib import Path

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader
from ragcrawler.embedding.remote.config import RemoteConfig

LOCAL = "local"
PROVIDERS = (LOCAL, "openai", "cohere")
_REQUEST_TOKENS = 16_384


@dataclass(frozen=True, slots=True)
class _Profile:
    """The defaults of a provider.

    Attributes:
        model: "" where one has to be named.
        request_texts: of one request.
        most_texts: that it takes in one request; 0 where that is not known.
        requests_per_minute: 0 is without a limit.
        key_setting: of its own client, read where EMBEDDING_API_KEY is empty.
    """

    model: str = ""
    request_texts: int = 32
    most_texts: int = 0
    requests_per_minute: int = 0
    key_setting: str = ""


# Cohere's trial keys; specification 002. Other services have OpenAI's interface too: little is known of them.
_PROFILES = {
    "openai": _Profile(),
    "cohere": _Profile("embed-english-v3.0", 96, 96, 100, "COHERE_API_KEY"),
}


def remote_config(read: SettingsReader) -> RemoteConfig | None:
    """How the service is reached; None where models run here.

    Raises:
        SettingError: a setting is invalid.
    """
    provider = read.choice("EMBEDDING_PROVIDER", PROVIDERS)
    if provider == LOCAL:
        return None
    profile = _PROFILES[provider]
    tokenizer = read.text("EMBEDDING_TOKENIZER")
    a_minute = read.integer("EMBEDDING_REQUESTS_PER_MINUTE", minimum=-1)
    return RemoteConfig(
        provider=provider,
        url=read.address("EMBEDDING_URL"),
        api_key=_key(read, profile),
        tokenizer=Path(tokenizer) if tokenizer else None,
        limit_tokens=read.integer("EMBEDDING_LIMIT_TOKENS", minimum=32),
        request_texts=_request_texts(read, provider, profile),
        request_tokens=read.integer("EMBEDDING_BATCH_TOKENS") or _REQUEST_TOKENS,
        requests_at_once=read.integer("EMBEDDING_REQUESTS_AT_ONCE", minimum=1),
        requests_per_minute=profile.requests_per_minute if a_minute < 0 else a_minute,
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
        name = _PROFILES[provider].model
    if not name:
        raise SettingError("EMBEDDING_MODEL", "auto", f"the name that EMBEDDING_PROVIDER={provider} gives it")
    return f"{provider}:{name.removeprefix(f'{provider}:')}"


def _key(read: SettingsReader, profile: _Profile) -> str:
    """The API key: the one that is set, else the one under the provider's own name; fit for a header."""
    for name in ("EMBEDDING_API_KEY", profile.key_setting):
        key = read.text(name) if name else ""
        if not (key.isascii() and key.isprintable()) or key != key.strip():
            raise SettingError(name, "(not shown)", "printable ASCII without spaces around it")
        if key:
            return key
    return ""


def _request_texts(read: SettingsReader, provider: str, profile: _Profile) -> int:
    texts = read.integer("EMBEDDING_REQUEST_TEXTS") or profile.request_texts
    if profile.most_texts and texts > profile.most_texts:
        raise SettingError(
            "EMBEDDING_REQUEST_TEXTS", texts, f"at most the {profile.most_texts} of {provider}"
        )
    return texts
