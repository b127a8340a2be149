"""DocBook, versions 4 and 5."""

from ragcrawler.conversion.markup.docbook.convert_docbook import convert_docbook

__all__ = ["convert_docbook"]
