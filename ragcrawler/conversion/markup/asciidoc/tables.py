"""Tables of AsciiDoc: `|===`, and CSV between `,===`."""

import csv
import re
from collections.abc import Callable
from io import StringIO

_CELL = re.compile(
    r"(?:(?<=\s)|^)(?:(\d{0,3})(?:\.(\d{1,3}))?([+*]))?([<^>]?\.?[<^>]?)([aehlmsdv]?)(?<!\\)\|"
)
_COUNT = re.compile(r"(\d{1,3})\*")
_MAX_COLUMNS = 200


def table_html(
    lines: list[str], separator: str, attributes: list[str], inside: Callable[[str, str], str]
) -> str:
    """A table; `inside` writes a cell, from its text and its style ("a" for blocks)."""
    said = ",".join(attributes)
    if separator in ",:" or "format=csv" in said or "format=dsv" in said:
        delimiter = ":" if separator == ":" or "format=dsv" in said else ","
        rows = [
            [(cell, "", 1) for cell in row]
            for row in csv.reader(StringIO("\n".join(lines)), delimiter=delimiter)
        ]
    else:
        rows = _rows(lines, _columns(said, lines))
    rows = [row for row in rows if row]
    has_head = "header" in said or (len(lines) > 1 and bool(lines[0].strip()) and not lines[1].strip())
    pieces = []
    for number, row in enumerate(rows):
        tag = "th" if number == 0 and has_head else "td"
        cells = (_cell(tag, text, style, span, inside) for text, style, span in row)
        pieces.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(pieces)}</table>" if pieces else ""


def _cell(tag: str, text: str, style: str, span: int, inside: Callable[[str, str], str]) -> str:
    wide = f' colspan="{span}"' if span > 1 else ""
    return f"<{tag}{wide}>{inside(text.strip(), style)}</{tag}>"


def _columns(said: str, lines: list[str]) -> int:
    """How many columns there are: by the attribute `cols`, or by the first line."""
    found = re.search(r'cols="?([^"\]]*)"?', said)
    if found:
        listed = found[1].split(",options")[0].rstrip(",").replace(";", ",").split(",")
        listed = [part for part in listed if "=" not in part]
        return sum(int(count[1]) if (count := _COUNT.match(part.strip())) else 1 for part in listed) or 1
    first = next((line for line in lines if line.strip()), "")
    return sum(_span(found) for found in _CELL.finditer(first)) or 1


def _rows(lines: list[str], columns: int) -> list[list[tuple[str, str, int]]]:
    text = "\n".join(lines)
    found = list(_CELL.finditer(text)) if "|" in text else []
    if not found:
        return []
    ends = [each.start() for each in found[1:]] + [len(text)]
    rows: list[list[tuple[str, str, int]]] = [[]]
    width = 0
    for each, end in zip(found, ends, strict=True):
        span = _span(each)
        repeated = min(int(each[1] or 1), _MAX_COLUMNS) if each[3] == "*" else 1
        for _ in range(repeated):
            if width >= min(columns, _MAX_COLUMNS):
                rows.append([])
                width = 0
            rows[-1].append((text[each.end() : end].replace("\\|", "|"), each[5], span))
            width += span
    return rows


def _span(found: re.Match[str]) -> int:
    return min(int(found[1] or 1), _MAX_COLUMNS) if found[3] == "+" else 1
