"""Retrieval: indexes, their fusion, and questions to a collection."""

from ragcrawler.retrieval.search.bm25 import BM25Index
from ragcrawler.retrieval.search.collection_retriever import CollectionRetriever, Found
from ragcrawler.retrieval.search.retriever import Retriever
from ragcrawler.retrieval.search.search_index import SearchIndex
from ragcrawler.retrieval.search.search_options import RetrievalMode, SearchOptions
from ragcrawler.retrieval.search.vector_index import VectorIndex

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
