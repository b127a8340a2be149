"""Quotes as a browser shows them, and links to them."""

import pytest

from ragcrawler.research.evidence.facts import PageQuote
from ragcrawler.research.report.quote_text import link_to, shown_quote


@pytest.mark.parametrize(
    ("markdown", "shown", "fragment"),
    [
        ("# What\u2019s *new*", "What\u2019s new", "What%E2%80%99s%20new"),
        ("- See [**PEP 1**](https://a.org/x).", "See PEP 1.", "See%20PEP%201."),
        (r"PEP 236: \_\_future\_\_ and `a_b`", "PEP 236: __future__ and a_b", None),
        ("well-known, A & B", "well-known, A & B", "well%2Dknown%2C%20A%20%26%20B"),
        ("| Acme | 1999 | It is in *Lille* |", "Acme 1999 It is in Lille", "Acme,It%20is%20in%20Lille"),
        ("PEP 343 - with\n: by Nick", "PEP 343 - with by Nick", "PEP%20343%20%2D%20with,by%20Nick"),
        ("![a picture](x.png) One.", "One.", "One."),
        ("a b c d e f g h i j k l m", "a b c d e f g h i j k l m", "a%20b%20c%20d%20e,i%20j%20k%20l%20m"),
    ],
)
def test_a_quote_is_shown_and_linked_to_as_a_browser_shows_it(
    markdown: str, shown: str, fragment: str | None
) -> None:
    cited = PageQuote("https://a.org/p", "hash", 0, len(markdown), markdown)
    assert shown_quote(cited) == shown
    if fragment is not None:
        assert link_to(cited) == f"https://a.org/p#:~:text={fragment}"


def test_a_quote_without_words_is_a_link_to_its_page() -> None:
    assert link_to(PageQuote("https://a.org/p#x", "hash", 0, 0, "")) == "https://a.org/p#x"
    assert link_to(PageQuote("https://a.org/p#x", "hash", 0, 4, "Acme")) == "https://a.org/p#x:~:text=Acme"
