"""The report of a run as one HTML file."""

from ragcrawler.run.reporting.html.recorded_run import RecordedRun, ReportUnreadableError, read_run
from ragcrawler.run.reporting.html.run_page import run_page

__all__ = ["RecordedRun", "ReportUnreadableError", "read_run", "run_page"]
