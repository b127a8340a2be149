"""Divisions, most of which only group; notes, warnings and tips among them become quotations with a title."""

import re

from lxml import html

from ragcrawler.conversion.html.renderer import Renderer, quoted
from ragcrawler.conversion.html.tags import HEADINGS

_KIND = (
    "note|tip|hint|important|warning|caution|danger|error|attention|seealso|info|success|failure|bug|example|"
    "deprecated|versionadded|versionchanged"
)
_BARE = re.compile(r"(?:note|tip|hint|important|warning|caution|danger|attention)")
_MARKED = re.compile(
    r"(?<!\S)(?:admonition|admonitionblock|markdown-alert|theme-admonition|callout|alert|notice|custom-block|"
    r"docutils admonition|aside-note)(?:-\w+)?(?!\S)"
)
_KINDS = re.compile(rf"(?<![a-z])(?:{_KIND})(?![a-z])")
_TITLE = re.compile(r"title|heading|label", re.IGNORECASE)


def render_division(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """The blocks of a division; a footnote or admonition as what it is."""
    if element.get("data-footnote"):
        return renderer.note(element)
    if not _is_admonition(element):
        renderer.enter(element)
        return renderer.blocks(element)
    renderer.enter(element)
    blocks = renderer.blocks(element)
    if not blocks:
        return []
    return [quoted(blocks if _has_title(element) else [f"**{_kind(element).capitalize()}**", *blocks])]


def _is_admonition(element: html.HtmlElement) -> bool:
    classes = element.get("class", "").lower()
    if not classes or element.tag == "p" or next(element.iter("h1", "h2"), None) is not None:
        return False
    if _BARE.fullmatch(classes):
        return True
    return bool(_MARKED.search(classes)) and bool(_kind(element))


def _kind(element: html.HtmlElement) -> str:
    found = _KINDS.search(element.get("class", "").lower())
    return found.group() if found else ""


def _has_title(element: html.HtmlElement) -> bool:
    """Whether its first lines name it already."""
    for inner in element.iterdescendants():
        if (
            inner.tag in HEADINGS
            or inner.tag in ("strong", "b", "summary")
            or _TITLE.search(inner.get("class", ""))
        ):
            return True
        if inner.text and inner.text.strip():
            return False
    return False
