"""A response as the page that goes on to the pipelines."""

from scrapy.http import Response

from ragcrawler.items import LABEL_CHARACTERS, Page, bounded_label
from ragcrawler.run.steady_clock import CLOCK
from ragcrawler.spiders.reading import header
from ragcrawler.spiders.visit import Visit
from ragcrawler.urls.identity import cited_url, document_id


def page_of(response: Response, visit: Visit) -> Page:
    """The page of a response; the visit's URL is the one that answered."""
    return Page(
        id=document_id(visit.url),
        url=Visit.of(response).url,
        final_url=cited_url(visit.url),
        body=response.body,
        content_type=bounded_label(header(response, "Content-Type")),
        status=response.status,
        fetched_at=CLOCK.now().isoformat(timespec="seconds"),
        depth=visit.depth,
        parent_url=visit.parent_url,
        etag=_validator(response, "ETag"),
        last_modified=_validator(response, "Last-Modified"),
    )


def _validator(response: Response, name: str) -> str:
    """The header; "" where it is over 1,000 characters: it stands in every chunk, and cut it is worthless."""
    value = header(response, name)
    return value if len(value) <= LABEL_CHARACTERS else ""
