"""Results by the locators of an engine."""

from lxml.html import HtmlElement

from ragcrawler.search_engines.answer import EngineResult
from ragcrawler.search_engines.pages.definition import EngineDefinition
from ragcrawler.search_engines.pages.document import blocks_of, find, is_within, seen_text
from ragcrawler.search_engines.pages.unwrapping import LinkReader

_TITLE_CHARACTERS = 300
_SNIPPET_CHARACTERS = 1_000
_MOST_RESULTS = 200
# Brave's titles are no headings, but repeat themselves in an attribute.
_HEADING = (
    "descendant-or-self::*[self::h1 or self::h2 or self::h3 or self::h4 or @role='heading']"
    " | descendant::div[@title]"
)


def located_results(
    document: HtmlElement,
    definition: EngineDefinition,
    links: LinkReader,
    skipped: frozenset[HtmlElement],
) -> list[EngineResult]:
    """The results in their order, each URL once; none where the locators fit nothing."""
    container = _container(document, definition)
    if container is None:
        return []
    found: dict[str, HtmlElement] = {}
    for anchor in find(container, definition.links)[:_MOST_RESULTS]:
        url = links.outside_url(anchor.get("href", ""))
        if url and url not in found and not is_within(anchor, skipped):
            found[url] = anchor
    blocks = blocks_of(list(found.values()), container)
    return [
        EngineResult(url, title, _snippet(block, title))
        for (url, anchor), block in zip(found.items(), blocks, strict=True)
        for title in [_title(anchor)]
    ]


def _container(document: HtmlElement, definition: EngineDefinition) -> HtmlElement | None:
    found = (find(document, expression) for expression in definition.containers)
    return next((elements[0] for elements in found if elements), None)


def _title(anchor: HtmlElement) -> str:
    headings = find(anchor, _HEADING)
    return seen_text(headings[0] if headings else anchor)[:_TITLE_CHARACTERS]


def _snippet(block: HtmlElement, title: str) -> str:
    return " ".join(seen_text(block).replace(title, " ", 1).split())[:_SNIPPET_CHARACTERS]
