"""From settings to working parts."""

from ragcrawler.bootstrap.generate_embedding import generate_embedding
from ragcrawler.bootstrap.retriever import open_retriever
from ragcrawler.bootstrap.start_error import StartError

__all__ = ["StartError", "generate_embedding", "open_retriever"]
