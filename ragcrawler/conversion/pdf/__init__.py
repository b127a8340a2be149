"""PDF to Markdown."""

from ragcrawler.conversion.pdf.converter import convert_pdf

__all__ = ["convert_pdf"]
