"""Metadata of an HTML page: meta elements, Open Graph, JSON-LD, links in its head."""

from copy import deepcopy
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from lxml import etree, html

from ragcrawler.items import Metadata

if TYPE_CHECKING:
    from trafilatura.settings import Document

_TIMES = ".//time[@pubdate or @itemprop or contains(@class, 'publish') or contains(@class, 'updated')]"
_JSON_LD = ".//script[@type='application/ld+json']"


def read_metadata(root: html.HtmlElement, url: str) -> tuple[str, Metadata]:
    """The title that a page declares, "" where it declares none, and its metadata; the root is not changed.

    trafilatura reads meta elements, Open Graph and JSON-LD. htmldate reads the dates, from the head, JSON-LD
    and marked `time` elements only: dates guessed from running text are as often wrong, and cost more.
    """
    document, warnings = _describe(root)
    # A site that gives its own name as the title of every page gives none.
    title = document.title if document.title != document.sitename else ""
    published, modified = _dates(root, url)
    return title or "", Metadata(
        description=" ".join((document.description or "").split()),
        language=_language(root),
        author=document.author or "",
        published=published,
        modified=modified,
        canonical_url=_canonical(root, url),
        site_name=(document.sitename or "").lstrip("@"),
        media_type="text/html",
        warnings=warnings,
    )


def _describe(root: html.HtmlElement) -> tuple["Document", tuple[str, ...]]:
    from trafilatura.metadata import examine_meta, extract_meta_json

    document = examine_meta(root)
    try:
        return extract_meta_json(root, document), ()
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError) as error:
        return document, (f"JSON-LD that could not be read: {type(error).__name__}: {error}",)


def _dates(root: html.HtmlElement, url: str) -> tuple[str, str]:
    """Published and modified, ISO 8601; modified only where it differs."""
    from htmldate import find_date

    page = html.Element("html")
    head = etree.SubElement(page, "head")
    head.extend(deepcopy(element) for element in root.iterfind("./head/meta"))
    head.extend(deepcopy(element) for element in root.iterfind(_JSON_LD))
    body = etree.SubElement(page, "body")
    body.extend(deepcopy(element) for element in root.xpath(_TIMES))
    if len(head) + len(body) == 0:
        return "", ""
    published = find_date(page, extensive_search=False, original_date=True, url=url) or ""
    modified = find_date(page, extensive_search=False, original_date=False) or ""
    return published, modified if modified > published else ""


def _language(root: html.HtmlElement) -> str:
    declared = root.get("lang") or root.get("xml:lang") or ""
    for element in root.iterfind("./head/meta[@content]"):
        name = element.get("property") or element.get("http-equiv") or ""
        if not declared and name.lower() in ("og:locale", "content-language"):
            declared = element.get("content", "")
    return declared.replace("_", "-").partition(",")[0].strip()


def _canonical(root: html.HtmlElement, url: str) -> str:
    for element in root.iterfind("./head/link[@href]"):
        if "canonical" in element.get("rel", "").lower().split():
            try:
                address = urljoin(url, element.get("href", "").strip())
                return address if urlsplit(address).scheme in ("http", "https") else ""
            except ValueError:
                return ""
    return ""
