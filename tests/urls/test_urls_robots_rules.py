"""The rules of a robots.txt for this crawler."""

import pytest

from ragcrawler.urls.robots.rules import MAX_ROBOTS_BYTES, RobotsRules

URL = "https://example.org"


def rules(text: str | bytes) -> RobotsRules:
    body = text.encode() if isinstance(text, str) else text
    return RobotsRules.parse(body, "ragcrawler")


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("", "/x", True),
        ("User-agent: *\nDisallow: /x", "/x", False),
        ("User-agent: *\nDisallow: /x", "/y", True),
        ("User-agent: *\nDisallow: /\nAllow: /x", "/x/y", True),  # the longest match decides
        ("User-agent: *\nDisallow: /*.pdf$", "/a.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/a.pdf?x", True),
        ("User-agent: *\nDisallow: /a\xe4", "/a%C3%A4", False),
        ("User-agent: ragcrawler\nDisallow: /x\n\nUser-agent: *\nDisallow: /y", "/y", True),  # ours alone
        ("User-agent: ragcrawler\nDisallow: /x\n\nUser-agent: *\nDisallow: /y", "/x", False),
        ("User-agent: RAGCRAWLER/1.0 # us\nDisallow: /x", "/x", False),
        ("User-agent: rag\nDisallow: /x", "/x", True),  # the beginning of a name is another name
        ("User-agent: ragcrawler-news\nDisallow: /x", "/x", True),
        ("User-agent: other\nUser-agent: ragcrawler\nDisallow: /x", "/x", False),
        ("User-agent: ragcrawler\nUser-agent: other\nUser-agent: third\nDisallow: /x", "/x", False),
        ("User-agent: other\nDisallow: /x\nUser-agent: third\nAllow: /", "/x", True),
        ("User-agent: ragcrawler\nDisallow: /a\nUser-agent: b\nDisallow: /\nUser-agent: ragcrawler\nDisallow: /x", "/x", False),  # noqa: E501 - a table's row
        ("user agent *\ndisallow /x", "/x", False),
        ("User-agent: ragcrawler\nNoindex: /a\nUser-agent: b\nDisallow: /x", "/x", False),  # one group
        ("User-agent: ragcrawler\nSitemap: /s\nUser-agent: b\nDisallow: /x", "/x", False),
        ("User-agent: ragcrawler\nClean-param: a\n\n# b\nUser-agent: b\nDisallow: /x", "/x", False),
        ("User-agent: b\nUnknown\nUser-agent: ragcrawler\nDisallow: /x", "/x", False),
        ("User-agent: b\nDisallow: /x\nNoindex: /a\nUser-agent: ragcrawler\nAllow: /", "/x", True),
        ("User-agent: ragcrawler\nCrawl-delay: 1\nUser-agent: b\nDisallow: /x", "/x", False),  # no rule
        ("User-agent: b\nCrawl-delay: 1\nUser-agent: c\nDisallow: /x\nUser-agent: *\nAllow: /", "/x", True),
        ("User-agent: ragcrawler\nRequest-rate: 1/5\n\nUser-agent: *\nDisallow: /x", "/x", False),
        ("User-agent: ragcrawler\nDisallow: /x\nCrawl-delay: 1\nUser-agent: b\nAllow: /", "/x", False),
        ("User-agent: *\nDisallow: /x\n\nUser-agent: ragcrawler", "/x", True),
        ("User-agent: *\nDisallow: /x\n\nUser-agent: ragcrawler\nCrawl-delay: 1", "/x", True),
        ("User-agent: ragcrawler\nNoindex: /a\nDissallow: /x", "/x", False),
        ("\ufeffUser-agent: *\r\nDisallow: /x\r\n", "/x", False),
        ("<html><body>Not a robots file</body></html>", "/x", True),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
    ],
)  # fmt: skip
def test_a_url_is_allowed_or_not(text: str, path: str, allowed: bool) -> None:
    assert rules(text).allow(URL + path) is allowed


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("User-agent: *\nDisallow: /x", 0.0),
        ("User-agent: *\nCrawl-delay: 2.5", 2.5),
        ("User-agent: *\nCrawl-delay: soon", 0.0),
        ("User-agent: *\nCrawl-delay: -1", 0.0),
        ("User-agent: *\nRequest-rate: 1/5", 5.0),
        ("User-agent: *\nRequest-rate: 30/1m", 2.0),
        ("User-agent: *\nCrawl-delay: 1\nRequest-rate: 1/5", 5.0),
        ("User-agent: other\nCrawl-delay: 9\n\nUser-agent: *\nCrawl-delay: 1", 1.0),
        ("User-agent: ragcrawler\nDisallow: /x\n\nUser-agent: *\nCrawl-delay: 1", 0.0),
        ("User-agent: other\nCrawl-delay: 9\n\nUser-agent: *\nDisallow: /x", 0.0),
        ("User-agent: *\nCrawl-delay: 2\nUser-agent: other\nDisallow: /x", 2.0),
        ("User-agent: other\nUser-agent: ragcrawler\nCrawl-delay: 2\nUser-agent: *\nCrawl-delay: 3", 2.0),
        ("User-agent: *\nCrawl-delay: 2\nDisallow: /x\nRequest-rate: 1/7\nUser-agent: other", 7.0),
        ("User-agent: other\nDisallow: /x\nUser-agent: *\nCrawl-delay: 2", 2.0),
        ("User-agent: other\nCrawl-delay: 9\nUser-agent: *\nDisallow: /x\nCrawl-delay: 2", 2.0),
    ],
)
def test_the_delay_is_that_of_our_group(text: str, seconds: float) -> None:
    assert rules(text).delay_seconds == seconds


def test_sitemaps_are_given_as_written_and_once() -> None:
    text = "Sitemap: /a.xml\nUser-agent: other\nSitemap: https://x.org/b.xml\nDisallow: /\nsitemap: /a.xml"
    assert rules(text).sitemaps == ("/a.xml", "https://x.org/b.xml")


def test_without_a_file_everything_is_allowed() -> None:
    empty = RobotsRules("ragcrawler")
    assert empty.allow(f"{URL}/x")
    assert empty.sitemaps == ()
    assert empty.delay_seconds == 0.0


def test_500_kib_are_read_and_no_half_of_a_line_behind_them() -> None:
    head = b"User-agent: *\n"
    filler = b"# filler\n" * ((MAX_ROBOTS_BYTES - len(head) - 40) // 9)
    body = head + filler + b"Disallow: /kept\n"
    body += b"Disallow: /p" + b"x" * 100 + b"\nDisallow: /lost\n"
    read = rules(body)
    assert not read.allow(f"{URL}/kept")
    assert read.allow(f"{URL}/pxx")
    assert read.allow(f"{URL}/lost")


def test_as_many_agents_as_rules_take_the_memory_of_one_group() -> None:
    agents = "".join(f"User-agent: a{number}\n" for number in range(15_000))
    read = rules(agents + "".join(f"Disallow: /{number}\n" for number in range(15_000)))
    assert read.parser is not None
    assert len(read.parser._user_agents) == 1
