"""Error pages are known by what they say, not by how they look."""

import pytest

from ragcrawler.frontier.outcomes.soft_404 import says_nothing_else, sounds_missing, text_pieces, title_of

FRAME = "<nav>Home</nav><nav>Products</nav><nav>About our company</nav><footer>Imprint and privacy</footer>"


def page(words: str, title: str = "Garden") -> bytes:
    return (
        f"<html><head><title>{title}</title></head><body>{FRAME}<main>{words}</main></body></html>".encode()
    )


MISSING_URL = "https://a.org/0123456789abcdef01234567"
MISSING = text_pieces(
    page("<h1>Oops</h1><p>We looked for /0123456789abcdef01234567 everywhere.</p><p>Request 8f31</p>"),
    MISSING_URL,
)


@pytest.mark.parametrize(
    ("words", "is_missing"),
    [
        ("<h1>Oops</h1><p>We looked for /old-page everywhere.</p><p>Request 77aa</p>", True),
        (
            "<h1>Oops</h1><p>We looked for /old-page everywhere.</p><!-- <p>long hidden words</p> -->",
            True,
        ),
        ("<h1>Oops</h1><script>var words = 'long words that nobody ever gets to see';</script>", True),
        ("<p>There is nothing at https://a.org/old-page</p>", True),
        ("", True),
        ("<h1>Oops</h1><p>A pump that fell over can be put back by two people.</p>", False),
        ("<h1>Filters</h1><p>Clean the filter of the pump once a month.</p>", False),
    ],
)
def test_a_page_that_says_nothing_of_its_own_is_missing(words: str, is_missing: bool) -> None:
    assert says_nothing_else(text_pieces(page(words), "https://a.org/old-page"), MISSING) == is_missing


@pytest.mark.parametrize(
    ("title", "missing"),
    [
        ("Page not found | Garden", True),
        ("404", True),
        ("Seite nicht gefunden", True),
        ("Lost and found", False),
        ("Model 4040", False),
        ("", False),
    ],
)
def test_a_title_may_sound_like_an_error(title: str, missing: bool) -> None:
    assert sounds_missing(title_of(page("", title))) == missing


@pytest.mark.parametrize(
    "markup", [b"<title", b"<title>" * 9000, b"<script>" * 9000, b"<!--" * 9000, b"\xff<"]
)
def test_broken_markup_has_pieces_and_a_title_all_the_same(markup: bytes) -> None:
    assert isinstance(title_of(markup), str)
    assert len(text_pieces(markup, "https://a.org/x")) <= 1
