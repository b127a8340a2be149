"""A response as the page that goes on to the pipelines."""

from scrapy.http import Response

from ragcrawler.frontier import Target
from ragcrawler.items import LABEL_CHARACTERS, Page, bounded_label
from ragcrawler.run.meta_keys import NOT_RENDERED, RENDERED, TARGET
from ragcrawler.run.steady_clock import CLOCK
from ragcrawler.spiders.responses.parsed_response import header
from ragcrawler.urls.identity import cited_url, document_id, exact_document_id, exact_url


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
