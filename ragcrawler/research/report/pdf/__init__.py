"""A report as PDF, typeset by Typst."""

from ragcrawler.research.report.pdf.pdf_report import PdfError, pdf_report

__all__ = ["PdfError", "pdf_report"]
