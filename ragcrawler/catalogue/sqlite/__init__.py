"""A catalogue in one SQLite file."""

from ragcrawler.catalogue.sqlite.catalogue import SqliteCatalogue

__all__ = ["SqliteCatalogue"]
