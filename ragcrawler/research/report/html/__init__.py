"""A report as one HTML file that needs nothing else, and the page of a research that still runs."""

from ragcrawler.research.report.html.live_page import live_page
from ragcrawler.research.report.html.report_page import html_report

__all__ = ["html_report", "live_page"]
