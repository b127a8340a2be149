"""Results by structure alone, whatever the engine: repeated siblings of a heading, a link and a text."""

from lxml.html import HtmlElement

from ragcrawler.search_engines.pages.document import blocks_of, find, outside_links, seen_text
from ragcrawler.search_engines.pages.unwrapping import LinkReader

FEWEST_BLOCKS = 3
_FEWEST_TITLE_CHARACTERS = 12
_FEWEST_TEXT_CHARACTERS = 20
_HEADING = (
    "ancestor-or-self::*[self::h2 or self::h3 or self::h4 or @role='heading']"
    " | descendant::*[self::h2 or self::h3 or self::h4 or @role='heading']"
)
_ASIDE = (
    ".//*[self::header or self::footer or self::nav or self::aside or self::dialog or @role='navigation'"
    " or @role='complementary' or @role='contentinfo' or @role='dialog']"
)


def repeated_results(document: HtmlElement, links: LinkReader, skipped: frozenset[HtmlElement]) -> list[str]:
    """The addresses of the largest group of such blocks, in their order; none under three blocks."""
    areas = skipped | frozenset(find(document, _ASIDE))
    anchors: dict[str, HtmlElement] = {}
    for anchor, url in outside_links(document, links, areas):
        is_better = url in anchors and not find(anchors[url], _HEADING) and find(anchor, _HEADING)
        if url not in anchors or is_better:
            anchors[url] = anchor
    headed = {url: anchor for url, anchor in anchors.items() if find(anchor, _HEADING)}
    if found := _largest_group(document, headed):
        return found
    long = {
        url: anchor for url, anchor in anchors.items() if len(seen_text(anchor)) >= _FEWEST_TITLE_CHARACTERS
    }
    return _largest_group(document, long)


def _largest_group(document: HtmlElement, anchors: dict[str, HtmlElement]) -> list[str]:
    groups: dict[tuple[HtmlElement | None, str], list[str]] = {}
    blocks = blocks_of(list(anchors.values()), document)
    for (url, anchor), block in zip(anchors.items(), blocks, strict=True):
        if len(seen_text(block)) - len(seen_text(anchor)) >= _FEWEST_TEXT_CHARACTERS:
            groups.setdefault((block.getparent(), str(block.tag)), []).append(url)
    largest = max(groups.values(), key=len, default=[])
    return largest if len(largest) >= FEWEST_BLOCKS else []
