"""reStructuredText, as docutils reads it and with what Sphinx adds to it."""

from ragcrawler.conversion.markup.restructured_text.convert_rst import convert_restructured_text

__all__ = ["convert_restructured_text"]
