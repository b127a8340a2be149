"""Turns items of other projects' spiders into pages."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from itemadapter import ItemAdapter

from ragcrawler.items import Document, Page
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.identity import cited_url, document_id

_OK = 200


def page_of_item(item: object) -> Page | None:
    """The page that a dict, dataclass or Scrapy item with `url` and `body` or `markdown` is; None for others.

    `body` may be bytes or text; `markdown` goes before it. `title`, `content_type`, `status`, `fetched_at`,
    `depth`, `parent_url`, `etag` and `last_modified` are taken where they are there.

    Raises:
        UrlError: it has a text, but its `url` is no address of the web.
    """
    if not ItemAdapter.is_item(item):
        return None
    values = ItemAdapter(item)
    content = _content(values)
    address = values.get("url")
    if content is None or not isinstance(address, str):
        return None
    body, content_type = content
    url = canonical_url(address)
    return Page(
        id=document_id(url),
        url=url,
        final_url=cited_url(url),
        body=body,
        content_type=content_type,
        status=_number(values, "status", _OK),
        fetched_at=_text(values, "fetched_at") or datetime.now(UTC).isoformat(timespec="seconds"),
        depth=_number(values, "depth", 0),
        parent_url=_text(values, "parent_url"),
        etag=_text(values, "etag"),
        last_modified=_text(values, "last_modified"),
        title=_text(values, "title"),
    )


def page_url(item: object) -> str:
    """The URL that the ledger knows an item by, "" where it is no page."""
    if isinstance(item, Page):
        return item.final_url
    if isinstance(item, Document):
        return item.url
    try:
        page = page_of_item(item)
    except UrlError:
        return ""
    return page.final_url if page else ""


def _content(values: Mapping[str, Any]) -> tuple[bytes, str] | None:
    """Bytes and media type."""
    markdown, body = values.get("markdown"), values.get("body")
    if isinstance(markdown, str):
        return markdown.encode("utf-8", "replace"), "text/markdown; charset=utf-8"
    given = _text(values, "content_type")
    if isinstance(body, str):
        media_type = given.partition(";")[0].strip() or "text/html"
        return body.encode("utf-8", "replace"), f"{media_type}; charset=utf-8"
    return (bytes(body), given) if isinstance(body, bytes | bytearray) else None


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""


def _number(values: Mapping[str, Any], name: str, default: int) -> int:
    value = values.get(name)
    return value if isinstance(value, int) else default
