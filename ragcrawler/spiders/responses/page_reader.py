"""Reads a response for the frontier's decision."""

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from scrapy.http import HtmlResponse, Response

from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.frontier import Frontier, ParsedResponse, Target
from ragcrawler.frontier.outcomes.soft_404 import text_hash
from ragcrawler.items import LABEL_CHARACTERS, Page, bounded_label
from ragcrawler.run.meta_keys import NOT_RENDERED, RENDERED, TARGET
from ragcrawler.run.steady_clock import CLOCK
from ragcrawler.spiders.responses.missing_pages import MissingPages
from ragcrawler.spiders.responses.parsed_response import header, read_response
from ragcrawler.urls.identity import cited_url, document_id, exact_document_id, exact_url
from ragcrawler.urls.listings import Listing, read_listing
from ragcrawler.urls.robots.directives import RobotsDirectives, header_directives


@dataclass(frozen=True, slots=True)
class ResponseReader:
    """Links, robots tags, error pages and sitemaps, as far as the frontier needs them.

    Attributes:
        frontier: says what it needs to know.
        missing: recognises error pages.
        politeness: which robots tags are obeyed, and under which name.
        max_links: of one page.
    """

    frontier: Frontier
    missing: MissingPages
    politeness: PolitenessConfig
    max_links: int

    async def read(self, response: Response, final: Target | None) -> ParsedResponse | None:
        """The response with its links and robots tags; None where the frontier does not need it.

        Args:
            response: whole.
            final: the target under the URL that answered, None where that is no URL.
        """
        if final is None or not self.frontier.needs(final):
            return None
        item = page_of(response, final)
        if self._may_be_missing(final) and await self.missing.has(response, final.url):
            return ParsedResponse(item, is_missing=True)
        parsed = await asyncio.to_thread(
            read_response,
            response,
            item,
            page_url=final.url,
            max_links=self.max_links,
            product_token=self.politeness.product_token,
        )
        parsed = apply_robots_tags(parsed, response, self.politeness)
        text = (
            await asyncio.to_thread(_text, response, final.url) if self.frontier.needs_text(final) else None
        )
        return replace(parsed, sitemaps=await self.sitemaps(final), text=text)

    async def read_listing(self, response: Response, asked: Target) -> Listing:
        """The URLs that a sitemap, feed or llms.txt names."""
        limits = self.frontier.options.discovery.limits
        return await asyncio.to_thread(read_listing, response.body, asked.url, limits=limits)

    async def sitemaps(self, page: Target) -> tuple[str, ...]:
        """The sitemaps that the robots.txt of a start page's site names."""
        if not self.frontier.needs_sitemaps(page):
            return ()
        return await self.frontier.robots.sitemaps(page.url)

    def _may_be_missing(self, final: Target) -> bool:
        return final.depth > 0 and self.frontier.options.finds_soft_404


def _text(response: Response, url: str) -> int:
    return text_hash(response.body, url, is_markup=isinstance(response, HtmlResponse))


def page_of(response: Response, final: Target) -> Page:
    """The page of a response.

    Args:
        response: whole.
        final: the target under the URL that answered.
    """
    return Page(
        id=exact_document_id(final.url) if final.is_apart else document_id(final.url),
        url=response.meta[TARGET].url,
        final_url=exact_url(final.url) if final.is_apart or final.keeps_session else cited_url(final.url),
        body=response.body,
        content_type=bounded_label(header(response, "Content-Type")),
        status=response.status,
        fetched_at=CLOCK.now().isoformat(timespec="seconds"),
        depth=final.depth,
        parent_url=final.parent_url,
        etag=_validator(response, "ETag"),
        last_modified=_validator(response, "Last-Modified"),
        had_browser=not {RENDERED, NOT_RENDERED}.isdisjoint(response.flags),
    )


def _validator(response: Response, name: str) -> str:
    """The header; "" where it is over 1,000 characters: it stands in every chunk, and cut it is worthless."""
    value = header(response, name)
    return value if len(value) <= LABEL_CHARACTERS else ""


def apply_robots_tags(parsed: ParsedResponse, response: Response, config: PolitenessConfig) -> ParsedResponse:
    """The response with `noindex` set, and with the links under `nofollow` that may not be followed."""
    links = config.followed(parsed.links, _directives(parsed, response, config))
    return replace(parsed, links=links, noindex=links.robots.noindex)


def _directives(parsed: ParsedResponse, response: Response, config: PolitenessConfig) -> RobotsDirectives:
    headers = [value.decode("latin-1") for value in response.headers.getlist("X-Robots-Tag")]
    if not headers:
        return parsed.links.robots
    return parsed.links.robots | header_directives(headers, config.product_token, datetime.now(UTC))
