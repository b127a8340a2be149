"""Retrieval: indexes, their fusion, and questions to a collection."""

from ragcrawler.retrieval.bm25 import BM25Index
from ragcrawler.retrieval.collection_retriever import CollectionRetriever, Found
from ragcrawler.retrieval.retriever import Retriever
from ragcrawler.retrieval.search_index import SearchIndex
from ragcrawler.retrieval.search_options import RetrievalMode, SearchOptions
from ragcrawler.retrieval.vector_index import VectorIndex

__all__ = [
    "BM25Index",
    "CollectionRetriever",
    "Found",
    "RetrievalMode",
    "Retriever",
    "SearchIndex",
    "SearchOptions",
    "VectorIndex",
]
