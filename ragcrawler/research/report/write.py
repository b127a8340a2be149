"""Writes a report in every format."""

from collections.abc import Callable
from pathlib import Path

from ragcrawler.research.report.csv_table import csv_table
from ragcrawler.research.report.json_report import json_report
from ragcrawler.research.report.markdown import markdown_report
from ragcrawler.research.report.report import Report

# file name -> what it holds
FORMATS: dict[str, Callable[[Report], str | bytes]] = {
    "report.md": markdown_report,
    "report.json": json_report,
    "table.csv": csv_table,
}


def write_reports(report: Report, folder: Path) -> list[Path]:
    """Write the files of a report; those of an earlier one are replaced.

    Returns:
        their paths, in the order of `FORMATS`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, render in FORMATS.items():
        content = render(report)
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
        written.append(path)
    return written
