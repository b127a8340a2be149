"""Notes and warnings that are laid out as a table: an icon in one cell, the text in the other."""

import re

from lxml import etree, html

from ragcrawler.conversion.html.tables import cells_of, rows_of

_ICON = re.compile(
    r"(?:^|[/_.\s\[-])(note|tip|hint|important|warning|caution|danger)(?:$|[_.\s\]-])", re.IGNORECASE
)
_MOST_ROWS = 2
_MOST_CELLS = 3


def unwrap_icon_tables(body: html.HtmlElement) -> None:
    """Make each such table a division of class `admonition`; inside one already, an ordinary division."""
    for table in list(body.iter("table")):
        cells = [cell for row in rows_of(table)[:_MOST_ROWS] for cell in cells_of(row)[:_MOST_CELLS]]
        icons = cells[0].findall(".//img") if cells else []
        kind = _kind_of(icons[0]) if len(icons) == 1 else ""
        if kind and not cells[0].text_content().strip():
            content = _content(table, cells[0])
            if content is not None:
                _replace(table, content, kind)


def _kind_of(icon: html.HtmlElement) -> str:
    name = icon.get("src", "").rpartition("/")[2]
    found = _ICON.search(icon.get("alt", "")) or _ICON.search(name)
    return found.group(1).lower() if found else ""


def _content(table: html.HtmlElement, icon: html.HtmlElement) -> html.HtmlElement | None:
    """The one cell with text; a heading that names the kind does not count."""
    rows = rows_of(table)
    cells = [cell for row in rows for cell in cells_of(row)]
    if len(rows) > _MOST_ROWS or len(cells) > _MOST_CELLS or cells[:1] != [icon]:
        return None
    if table.find("caption") is not None:
        return None
    texts = [cell for cell in cells[1:] if not _is_title(cell)]
    return texts[0] if len(texts) == 1 else None


def _is_title(cell: html.HtmlElement) -> bool:
    return cell.tag == "th" and bool(_ICON.fullmatch(cell.text_content().strip()))


def _replace(table: html.HtmlElement, content: html.HtmlElement, kind: str) -> None:
    parent = table.getparent()
    if parent is None:
        return
    division = etree.Element("div")
    if not _ICON.search(parent.get("class", "")):
        division.set("class", f"admonition {kind}")
    division.text = content.text
    division.extend(list(content))
    division.tail = table.tail
    parent.replace(table, division)
