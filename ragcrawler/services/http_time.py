"""Times in HTTP headers."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_LONGEST_SECONDS = 1e9  # more is no time that anybody waits


def http_date(value: str) -> datetime | None:
    """A date of HTTP (RFC 9110, section 5.6.7) or ISO 8601, UTC where it names no zone; None for neither."""
    for parse in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            date = parse(value.strip())
        except (ValueError, OverflowError):
            continue
        return date if date.tzinfo else date.replace(tzinfo=UTC)
    return None


def retry_after_seconds(header: str | None, now: datetime) -> float | None:
    """The seconds of `Retry-After`, in both of its forms (RFC 9110, section 10.2.3); None if it has neither.

    Fractions are no form of it, but services send them. A date that has passed is 0.0.
    """
    text = (header or "").strip()
    if _SECONDS.fullmatch(text):
        return min(float(text), _LONGEST_SECONDS)
    date = http_date(text)
    return None if date is None else max(0.0, (date - now).total_seconds())


def max_age_seconds(cache_control: str) -> float | None:
    """The `max-age` of a `Cache-Control` header, 0.0 for `no-cache` and `no-store`; None without any."""
    age = None
    for directive in cache_control.lower().split(","):
        name, _, value = directive.strip().partition("=")
        if name in ("no-cache", "no-store"):
            return 0.0
        digits = value.strip('" ')
        if name == "max-age" and digits.isascii() and digits.isdigit():
            age = float(digits[:12])
    return age
