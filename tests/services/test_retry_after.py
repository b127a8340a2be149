"""When a service wants to be asked again."""

from datetime import UTC, datetime

import pytest

from ragcrawler.services import retry_after_seconds


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("0", 0),
        ("1.5", 1.5),
        ("-1", None),
        ("nan", None),
        ("soon", None),
        ("inf", 1e9),
        ("Sat, 21 Nov 2026 12:00:30 GMT", 30),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0),
        ("Sat, 21 Nov 2026 12:00:30 -0000", 30),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(header: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(header, datetime(2026, 11, 21, 12, tzinfo=UTC)) == seconds
