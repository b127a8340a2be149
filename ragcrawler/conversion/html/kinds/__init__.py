"""Tell of which kind a page is: an article, a thread, a product, ..."""

from ragcrawler.conversion.html.kinds.classify import classify
from ragcrawler.conversion.html.kinds.page_kind import KINDS, KindVerdict, PageKind

__all__ = ["KINDS", "KindVerdict", "PageKind", "classify"]
