"""AsciiDoc."""

from ragcrawler.conversion.markup.asciidoc.convert_asciidoc import convert_asciidoc

__all__ = ["convert_asciidoc"]
