"""Tables of `tbl`, see tbl(1): the cells; rules and widths are left out."""

import re
from collections.abc import Iterable

from ragcrawler.conversion.markup.manual_page.escapes import Roff

_TAB = re.compile(r"\btab\s*\((.)\)")
_RULE = re.compile(r"[_=]|\\\^|\\_")
_COMMAND = re.compile(r"[.'][ \t]*\\?[A-Za-z\"]")


def table_html(lines: Iterable[str], roff: Roff) -> str:
    """The table between `.TS` and `.TE`; its first row is the header."""
    source = list(lines)
    tab = "\t"
    if source and source[0].rstrip().endswith(";"):
        found = _TAB.search(source.pop(0))
        tab = found[1] if found else tab
    while source and not source.pop(0).rstrip().endswith("."):
        pass  # the layout ends with a full stop
    rows = _rows(source, tab)
    if not rows:
        return ""
    head, *others = (_row(row, roff) for row in rows)
    return f"<table><thead>{head.replace('td>', 'th>')}</thead><tbody>{''.join(others)}</tbody></table>"


def _rows(source: list[str], tab: str) -> list[list[str]]:
    rows: list[list[str]] = []
    open_row: list[str] | None = None
    for line in source:
        if open_row is not None:
            if not line.startswith("T}"):
                open_row[-1] += " " + _stripped(line)
                continue
            open_row += line[2:].split(tab)[1:]
        elif _COMMAND.match(line) or _RULE.fullmatch(line.strip()) or not line.strip():
            continue
        else:
            open_row = line.split(tab)
        if open_row and open_row[-1].rstrip() == "T{":
            open_row[-1] = ""
        else:
            rows.append(open_row)
            open_row = None
    return [[cell for cell in row if not _RULE.fullmatch(cell.strip())] for row in rows]


def _stripped(line: str) -> str:
    """A line of a cell without the name of its macro: `.B text`."""
    return re.sub(r"^[.'][ \t]*[A-Za-z]{1,3}\b[ \t]*", "", line)


def _row(cells: list[str], roff: Roff) -> str:
    return "<tr>" + "".join(f"<td>{roff.html(cell).strip()}</td>" for cell in cells) + "</tr>"
