"""Files that hold no text, by their extension."""

from scrapy.linkextractors import IGNORED_EXTENSIONS

# Formats that Scrapy's list leaves out of a crawl and that can be read here.
_READABLE = {"pdf", "doc", "docx", "ppt", "pptx", "xls", "xlsx", "odt", "epub", "md", "rst", "txt"}

IGNORED = frozenset(IGNORED_EXTENSIONS) - _READABLE
