"""The report of a run as one HTML file."""

from ragcrawler.run.reporting.html.run_page import run_page

__all__ = ["run_page"]
