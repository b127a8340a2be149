"""Conversion: a document's bytes in, clean Markdown out."""

from ragcrawler.conversion.convert import READABLE_EXTENSIONS, convert
from ragcrawler.conversion.converted import Converted, Picture
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits

__all__ = ["READABLE_EXTENSIONS", "ConversionError", "ConversionLimits", "Converted", "Picture", "convert"]
