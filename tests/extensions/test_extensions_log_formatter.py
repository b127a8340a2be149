"""The log names items; it does not print them."""

import logging

import pytest

from ragcrawler.extensions.log_formatter import ShortLogFormatter
from ragcrawler.items import Page
from ragcrawler.run.outcomes import PageSkipped

PAGE = Page("id", "https://a.org/x", "https://a.org/x", b"SECRET BODY", "text/html", 200, "2026-01-01")
FORMATTER = ShortLogFormatter()


@pytest.mark.parametrize(
    ("line", "level", "text"),
    [
        (FORMATTER.scraped(PAGE, None, None), logging.DEBUG, "Stored: https://a.org/x"),
        (
            FORMATTER.dropped(PAGE, PageSkipped("junk"), None, None),
            logging.DEBUG,
            "Dropped: https://a.org/x: junk",
        ),
        (
            FORMATTER.item_error(PAGE, ValueError("why"), None, None),
            logging.ERROR,
            "Error in a pipeline: https://a.org/x: ValueError('why')",
        ),
    ],
)
def test_a_line_holds_the_url_and_the_reason(line: dict[str, object], level: int, text: str) -> None:
    assert line["level"] == level
    assert str(line["msg"]) % line["args"] == text
