"""What is done to a page before anybody judges it: each step makes one habit of web pages plain HTML."""

from ragcrawler.conversion.html.preparation.prepare import prepare

__all__ = ["prepare"]
