"""Obeys what a page asks of crawlers: meta robots, `X-Robots-Tag` and `rel=nofollow`."""

from dataclasses import replace
from datetime import UTC, datetime

from scrapy.http import Response

from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.frontier import ParsedResponse
from ragcrawler.urls.robots.directives import RobotsDirectives, header_directives


def apply_robots_tags(parsed: ParsedResponse, response: Response, config: PolitenessConfig) -> ParsedResponse:
    """The response with `noindex` set, and with the links under `nofollow` that may not be followed."""
    links = config.followed(parsed.links, _directives(parsed, response, config))
    return replace(parsed, links=links, noindex=links.robots.noindex)


def _directives(parsed: ParsedResponse, response: Response, config: PolitenessConfig) -> RobotsDirectives:
    headers = [value.decode("latin-1") for value in response.headers.getlist("X-Robots-Tag")]
    if not headers:
        return parsed.links.robots
    return parsed.links.robots | header_directives(headers, config.product_token, datetime.now(UTC))
