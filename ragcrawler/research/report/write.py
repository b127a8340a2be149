"""Writes a report in every format."""

import csv
import io
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ragcrawler.research.report.html import html_report
from ragcrawler.research.report.json_report import json_report
from ragcrawler.research.report.markdown import markdown_report
from ragcrawler.research.report.mermaid import mermaid_graph
from ragcrawler.research.report.pdf import PdfError, pdf_report
from ragcrawler.research.report.report import Report
from ragcrawler.research.table import TableCell

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


def _parts(cell: TableCell | None) -> tuple[str, str, str, str]:
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


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """A format of reports.

    Attributes:
        file: its name in the folder of the research.
        render: makes its content.
    """

    file: str
    render: Callable[[Report], str | bytes]


FORMATS = {
    "md": ReportFormat("report.md", markdown_report),
    "json": ReportFormat("report.json", json_report),
    "csv": ReportFormat("table.csv", csv_table),
    "mermaid": ReportFormat("graph.mmd", mermaid_graph),
    "html": ReportFormat("report.html", html_report),
    "pdf": ReportFormat("report.pdf", pdf_report),
}


def write_reports(report: Report, folder: Path) -> list[Path]:
    """Write the files of a report; those of an earlier one are replaced.

    A PDF that cannot be made is left out, with a line in the log that says why.

    Returns:
        their paths, in the order of `FORMATS`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for each in FORMATS.values():
        path = folder / each.file
        try:
            content = each.render(report)
        except PdfError as error:
            path.unlink(missing_ok=True)  # it would be of an earlier report
            logger.warning("There is no %s: %s", path, error)
            continue
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
        written.append(path)
    return written
