"""Robots tags of a page, and which of its links are followed then."""

from dataclasses import replace
from typing import Any

import pytest
from scrapy.http import HtmlResponse

from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.config.defaults import project_settings
from ragcrawler.frontier import ParsedResponse
from ragcrawler.items import Page
from ragcrawler.spiders.responses.page_reader import apply_robots_tags
from ragcrawler.urls.links.page_links import PageLinks
from ragcrawler.urls.robots.directives import RobotsDirectives

URL = "https://a.org/"
OBEDIENT = PolitenessConfig.from_settings(project_settings())
PAGE = Page(id="1", url=URL, final_url=URL, body=b"", content_type="text/html", status=200, fetched_at="")
LINKS = PageLinks(("https://a.org/x",), nofollow=("https://a.org/y",), feeds=("https://a.org/feed",))


@pytest.mark.parametrize(
    ("tag", "header", "config", "noindex", "followed", "feeds"),
    [
        ({}, "", {}, False, "x", True),
        ({"noindex": True}, "", {}, True, "x", True),
        ({"nofollow": True}, "", {}, False, "", False),
        ({}, "noindex", {}, True, "x", True),
        ({}, "noindex, nofollow", {}, True, "", False),
        ({"noindex": True}, "nofollow", {}, True, "", False),
        ({}, "otherbot: noindex", {}, False, "x", True),
        ({}, f"{OBEDIENT.product_token}: noindex", {}, True, "x", True),
        ({"noindex": True, "nofollow": True}, "noindex", {"obeys_robots_tags": False}, False, "x", True),
        ({}, "", {"obeys_rel_nofollow": False}, False, "xy", True),
        ({"nofollow": True}, "", {"obeys_rel_nofollow": False}, False, "", False),
    ],
)
def test_tags_and_headers_add_up(
    tag: dict[str, Any], header: str, config: dict[str, Any], noindex: bool, followed: str, feeds: bool
) -> None:
    parsed = ParsedResponse(PAGE, replace(LINKS, robots=RobotsDirectives(**tag)))
    response = HtmlResponse(URL, headers={"X-Robots-Tag": header} if header else None, body=b"")
    result = apply_robots_tags(parsed, response, replace(OBEDIENT, **config))
    assert result.noindex is noindex
    assert "".join(url[-1] for url in result.links.urls) == followed
    assert bool(result.links.feeds) is feeds
    assert {*result.links.urls, *result.links.nofollow} == {"https://a.org/x", "https://a.org/y"}
