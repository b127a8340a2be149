"""The table of a research as CSV."""

import csv
import io
import json

from ragcrawler.research.report.report import Report
from ragcrawler.research.table import Cell

# A spreadsheet reads what begins like this as a formula, full-width forms included.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def csv_table(report: Report) -> str:
    """One line a row: for each field its value, its state, its hosts, and the other values with theirs."""
    template = report.record.template
    paths = [leaf.path for leaf in template.leaves]
    columns = [f"{path}{part}" for path in paths for part in ("", "_state", "_hosts", "_others")]
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(columns)
    for row in report.rows:
        writer.writerow([_defused(part) for path in paths for part in _parts(row.cells.get(path))])
    return output.getvalue()


def _parts(cell: Cell | None) -> tuple[str, str, str, str]:
    if cell is None:
        return "", "", "", ""
    shown = cell.values if cell.is_repeated else cell.values[:1]
    others = () if cell.is_repeated else cell.values[1:]
    hosts = sorted({host for value in shown for host in value.hosts})
    listed = [{"value": value.value, "hosts": list(value.hosts)} for value in others]
    return (
        "; ".join(str(value.value) for value in shown),
        cell.state,
        " ".join(hosts),
        json.dumps(listed, ensure_ascii=False) if listed else "",
    )


def _defused(text: str) -> str:
    is_number = text[1:].replace(".", "", 1).isdigit()
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) and not is_number else text
