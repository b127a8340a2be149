"""HTML: an extractor's verdict projected onto the page, the kept part rendered whole."""

from ragcrawler.conversion.html.convert_html import convert_html

__all__ = ["convert_html"]
