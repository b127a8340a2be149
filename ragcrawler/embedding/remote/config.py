"""How a service is reached, and what it may cost."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class RemoteConfig:
    """A service that embeds.

    Attributes:
        provider: whose interface it has, "openai" or "cohere".
        url: its address up to the version, `https://api.openai.com/v1`; "" is the provider's own.
        api_key: sent as a bearer token; "" where the service wants none. Never shown.
        tokenizer: a `tokenizer.json` that counts as the model does; None where there is none.
        limit_tokens: the longest text that the model reads, special tokens included.
        request_texts: of one request at the most.
        request_tokens: of one request at the most, about.
        requests_at_once: side by side.
        requests_per_minute: 0 is without a limit.
        tokens_per_minute: likewise.
        most_requests: of one run; 0 is without a limit.
        most_tokens: likewise.
        timeout_seconds: of one request.
        retries: of a request that failed by no fault of its own.
        longest_wait_seconds: before a retry, even where the service asks for more.
    """

    provider: str
    url: str = ""
    api_key: str = field(default="", repr=False)
    tokenizer: Path | None = None
    limit_tokens: int = 512
    request_texts: int = 32
    request_tokens: int = 16_384
    requests_at_once: int = 4
    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    most_requests: int = 0
    most_tokens: int = 0
    timeout_seconds: float = 30.0
    retries: int = 5
    longest_wait_seconds: float = 120.0  # a service that counts by minutes asks for up to 61
