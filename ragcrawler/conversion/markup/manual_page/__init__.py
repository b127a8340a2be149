"""Manual pages: roff with the macros `man` or `mdoc`."""

from ragcrawler.conversion.markup.manual_page.convert_manual import convert_manual_page

__all__ = ["convert_manual_page"]
