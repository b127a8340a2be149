"""Writes a report in every format."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ragcrawler.research.report.csv_table import csv_table
from ragcrawler.research.report.html import html_report
from ragcrawler.research.report.json_report import json_report
from ragcrawler.research.report.markdown import markdown_report
from ragcrawler.research.report.mermaid import mermaid_graph
from ragcrawler.research.report.pdf import PdfError, pdf_report
from ragcrawler.research.report.report import Report

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
