"""Lists and tables of a report, each with a bound."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lxml import etree

from ragcrawler.retrieval.formatting.html import Child, element, link
from ragcrawler.urls.credentials import mask_credentials

_SHOWN_CHARACTERS = 160
_MOST_LINK_CHARACTERS = 1_000


def page_link(url: str) -> etree._Element:
    """A URL, shortened for the eye; one with a password, of another kind or too long is no link."""
    text = shortened(mask_credentials(url))
    is_link = mask_credentials(url) == url and len(url) <= _MOST_LINK_CHARACTERS
    return link(url, text) if is_link else element("span", text)


def shortened(text: str) -> str:
    """The text in one line, with a mark where something is left out."""
    line = " ".join(text[: _SHOWN_CHARACTERS * 4].split())
    return line if len(line) <= _SHOWN_CHARACTERS else f"{line[: _SHOWN_CHARACTERS - 1]}…"


def page_list(pages: Sequence[tuple[str, str]], total: int, most: int) -> etree._Element:
    """URLs with a note each, and how many more there are.

    Args:
        pages: URLs and notes, as many as are known.
        total: how many there are.
        most: how many are shown.
    """
    shown = pages[:most]
    items = (element("li", page_link(url), " ", element("small", shortened(note))) for url, note in shown)
    return element("div", element("ul", *items, class_="urls"), *and_more(total - len(shown)))


def and_more(count: int, where: str = "") -> list[Child]:
    """A line that says how many are left out; nothing where none is."""
    if count <= 0:
        return []
    return [element("p", f"and {count:,} more{where}", class_="more")]


def number_table(rows: Mapping[str, object]) -> etree._Element:
    """Names and numbers."""
    return element("dl", *number_pairs(rows))


def number_pairs(rows: Mapping[str, object]) -> Iterator[etree._Element]:
    """The rows of a `dl`."""
    for name, value in rows.items():
        yield element("div", element("dt", name), element("dd", number(value)))


def number(value: object) -> str:
    """With commas where it is one."""
    if isinstance(value, float):
        return f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def wide_table(name: str, heads: Sequence[str], rows: Iterable[Sequence[Child]]) -> etree._Element:
    """A table that scrolls by itself on a narrow screen, also by keys."""
    head = element("thead", element("tr", *(element("th", each, scope="col") for each in heads)))
    body = element("tbody", *(element("tr", *(element("td", each) for each in row)) for row in rows))
    table = element("table", head, body)
    return element("div", table, class_="wide", tabindex="0", role="region", aria_label=name)
