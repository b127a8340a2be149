"""Rich Text Format."""

from ragcrawler.conversion.markup.rich_text.convert_rich_text import convert_rich_text

__all__ = ["convert_rich_text"]
