"""The score says which pages to look at; the kind says why they were read as they were."""

import pytest

from ragcrawler.conversion import convert
from ragcrawler.items import Metadata
from ragcrawler.run.reporting.stat_rows import quality_band, quality_rows
from tests.conversion.selection.shapes import FOLDER, read_shape

LINKS = "".join(f'<li><a href="/{number}">Chapter {number} of the book</a></li>' for number in range(40))


def metadata_of(html: str, url: str = "https://a.example/x") -> Metadata:
    return convert(html.encode(), "text/html; charset=utf-8", url).metadata


def test_an_article_that_the_extractor_found_has_a_high_score() -> None:
    shape = read_shape(FOLDER / "article-wordpress.html")
    metadata = metadata_of(shape.html, shape.url)
    assert (metadata.kind, quality_band(metadata.quality)) == ("article", "high")


@pytest.mark.parametrize(
    "body", [f"<nav><ul>{LINKS}</ul></nav>", "<p>Loading the page.</p>", f"<div><ul>{LINKS}</ul></div>"]
)
def test_links_alone_and_a_few_words_have_a_low_score(body: str) -> None:
    assert quality_band(metadata_of(f"<html><body>{body}</body></html>").quality) == "low"


def test_a_text_file_has_no_score() -> None:
    metadata = convert(b"Some words.", "text/plain", "https://a.example/x.txt").metadata
    assert (metadata.kind, metadata.quality) == ("", None)


def test_the_report_has_a_row_for_each_band() -> None:
    stats = {"ragcrawler/convert/quality/low": 2, "ragcrawler/convert/quality/high": 5}
    assert list(quality_rows(stats).values()) == [5, 0, 2]
    assert not any(quality_rows({}).values())
