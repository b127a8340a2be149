"""Tables of DocBook: those of CALS, and those of HTML."""

from collections.abc import Callable
from html import escape
from typing import Any

_MAX_SPAN = 100
_TABLES = ("table", "informaltable")


def table_html(table: Any, inside: Callable[[Any], str]) -> str:
    """A table; `inside` writes what is in a cell."""
    title = table.find("title")
    shown = f"<p><b>{inside(title)}</b></p>" if title is not None else ""
    rows = []
    for row in table.iter("row", "tr"):
        if next(row.iterancestors(*_TABLES)) is not table:
            continue  # of a table in a cell
        columns = _column_numbers(row)
        is_head = row.getparent().tag == "thead"
        cells = (
            _cell(cell, columns, is_head=is_head, inside=inside) for cell in row if isinstance(cell.tag, str)
        )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"{shown}<table>{''.join(rows)}</table>"


def _column_numbers(row: Any) -> dict[str, int]:
    group = next(row.iterancestors("tgroup"), None)
    columns = group.findall("colspec") if group is not None else []
    return {column.get("colname", ""): number for number, column in enumerate(columns)}


def _cell(cell: Any, columns: dict[str, int], *, is_head: bool, inside: Callable[[Any], str]) -> str:
    first, last = columns.get(cell.get("namest", "")), columns.get(cell.get("nameend", ""))
    width = last - first + 1 if first is not None and last is not None and last >= first else 1
    spans = [("colspan", cell.get("colspan") or str(min(width, _MAX_SPAN)))]
    spans.append(
        ("rowspan", cell.get("rowspan") or str(min(_number(cell.get("morerows", "0")), _MAX_SPAN) + 1))
    )
    tag = "th" if is_head or cell.tag == "th" else "td"
    attributes = "".join(f' {name}="{escape(span)}"' for name, span in spans if span != "1")
    return f"<{tag}{attributes}>{inside(cell)}</{tag}>"


def _number(text: str) -> int:
    return int(text[:4]) if text[:4].isascii() and text[:4].isdigit() else 0
