"""The robots meta tag and the X-Robots-Tag header."""

from datetime import UTC, datetime

import pytest

from ragcrawler.urls.robots.directives import RobotsDirectives, header_directives, meta_directives

NOW = datetime(2026, 6, 25, 15, 0, 0, tzinfo=UTC)
NOTHING = RobotsDirectives()
NOINDEX = RobotsDirectives(noindex=True)
NOFOLLOW = RobotsDirectives(nofollow=True)
NONE = RobotsDirectives(noindex=True, nofollow=True)


@pytest.mark.parametrize(
    ("content", "directives"),
    [
        ("", NOTHING),
        ("index, follow", NOTHING),
        ("all", NOTHING),
        ("noindex", NOINDEX),
        ("NoIndex , NoFollow", NONE),
        ("none", NONE),
        ("noindex;nofollow", NONE),
        ("max-snippet:20, nofollow, max-image-preview:large", NOFOLLOW),
        ("nosnippet, noarchive, notranslate, noimageindex", NOTHING),
        ("noindexing", NOTHING),
        ("unavailable_after: 25 Jun 2026 14:59:00 GMT", NOINDEX),
        ("unavailable_after: 25 Jun 2026 15:01:00 GMT", NOTHING),
        ("unavailable_after: Thu, 25 Jun 2026 14:59:00 GMT, nofollow", NONE),
        ("unavailable_after: 2026-06-25T16:00:00+02:00", NOINDEX),
        ("unavailable_after: some day", NOTHING),
        ("noindex" + "," * 100_000, NOINDEX),
    ],
)
def test_a_meta_tag(content: str, directives: RobotsDirectives) -> None:
    assert meta_directives(content, NOW) == directives


@pytest.mark.parametrize(
    ("headers", "directives"),
    [
        ([], NOTHING),
        (["noindex"], NOINDEX),
        (["noindex", "nofollow"], NONE),
        (["otherbot: noindex, nofollow"], NOTHING),
        (["ragcrawler: noindex"], NOINDEX),
        (["RagCrawler: noindex, nofollow"], NONE),
        (["otherbot: noindex", "ragcrawler: nofollow"], NOFOLLOW),
        (["otherbot: noindex, ragcrawler: nofollow"], NOFOLLOW),
        (["noindex, otherbot: nofollow"], NOINDEX),
        (["*: none"], NONE),
        (["max-snippet: 0, noindex"], NOINDEX),
        (["unavailable_after: Thu, 25 Jun 2026 14:59:00 GMT"], NOINDEX),
        (["otherbot: unavailable_after: 25 Jun 2020 14:59:00 GMT"], NOTHING),
        (["ragcrawler: unavailable_after: Thu, 25 Jun 2020 14:59:00 GMT, nofollow"], NONE),
        (["a:" * 100_000], NOTHING),
    ],
)
def test_a_header(headers: list[str], directives: RobotsDirectives) -> None:
    assert header_directives(headers, "ragcrawler", NOW) == directives
