"""Steps that prepare a page for conversion: each turns one construct into plain HTML."""

from ragcrawler.conversion.html.preparation.prepare import prepare

__all__ = ["prepare"]
