"""The pause that an engine asks for."""

from datetime import UTC, datetime

from ragcrawler.search_engines.engine import EngineReply
from ragcrawler.services import retry_after_seconds


def asked_pause(reply: EngineReply) -> float | None:
    """Seconds by the header `Retry-After`; None where there is none."""
    return retry_after_seconds(reply.headers.get("retry-after"), datetime.now(UTC))
