"""A catalogue on a PostgreSQL server, for any number of processes."""

from ragcrawler.catalogue.postgres.catalogue import PostgresCatalogue

__all__ = ["PostgresCatalogue"]
