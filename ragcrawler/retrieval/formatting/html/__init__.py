"""HTML files that need nothing else: elements, and the frame with its styles."""

from ragcrawler.retrieval.formatting.html.elements import WEB, Child, add, element, link
from ragcrawler.retrieval.formatting.html.page import colours, page

__all__ = ["WEB", "Child", "add", "colours", "element", "link", "page"]
