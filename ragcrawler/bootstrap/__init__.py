"""From settings to working parts."""

from ragcrawler.bootstrap.retriever import open_retriever
from ragcrawler.bootstrap.start_error import StartError

__all__ = ["StartError", "open_retriever"]
