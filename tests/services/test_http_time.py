"""Times in HTTP headers."""

from datetime import UTC, datetime

import pytest

from ragcrawler.services.http_time import http_date, max_age_seconds, retry_after_seconds

NOW = datetime(2026, 6, 25, 15, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Thu, 25 Jun 2026 15:01:30 GMT", 90.0),
        ("Thursday, 25-Jun-26 15:01:30 GMT", 90.0),
        ("Thu Jun 25 15:01:30 2026", 90.0),
        ("Thu, 25 Jun 2026 14:00:00 GMT", 0.0),  # has passed
        ("-5", None),
        ("1.5", 1.5),
        ("Thu, 25 Jun 2026 15:01:30 -0000", 90.0),
        ("2026-06-25T15:01:30Z", 90.0),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("1e5", None),
        ("", None),
        (None, None),
        ("٣", None),  # a digit, but none of HTTP
        ("9" * 5000, 1e9),
    ],
)
def test_retry_after_has_two_forms(value: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(value, NOW) == seconds


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("25 Jun 2026 15:00:00 GMT", NOW),
        ("2026-06-25T15:00:00Z", NOW),
        ("2026-06-25", datetime(2026, 6, 25, tzinfo=UTC)),
        ("2026-06-25T17:00:00+02:00", NOW),
        ("99 Jun 2026 15:00:00 GMT", None),
        ("never", None),
    ],
)
def test_a_date_is_read_in_the_forms_of_http_and_iso(value: str, date: datetime | None) -> None:
    assert http_date(value) == date


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("", None),
        ("public", None),
        ("public, max-age=300", 300.0),
        ('Max-Age="60"', 60.0),
        ("no-cache, max-age=300", 0.0),
        ("no-store", 0.0),
        ("max-age=soon", None),
    ],
)
def test_the_age_of_an_answer(value: str, seconds: float | None) -> None:
    assert max_age_seconds(value) == seconds
