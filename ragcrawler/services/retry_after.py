"""The header by which a service says when to come back."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after_seconds(header: str | None, now: datetime) -> float | None:
    """Seconds to wait, never negative; None where the header is missing or no time (RFC 9110, 10.2.3)."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        return _until(header, now)
    return min(seconds, 1e9) if seconds >= 0 else None


def _until(header: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
