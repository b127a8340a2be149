"""Vectors in PostgreSQL, and the index by which near ones are found."""

from collections.abc import Sequence

from ragcrawler.postgres.errors import PostgresError
from ragcrawler.postgres.session import PostgresSession

# pgvector indexes vectors of at most so many dimensions.
_MOST_DIMENSIONS = 2_000
_TABLES = ("questions", "facts")


def to_text(vector: Sequence[float]) -> str:
    """A vector as pgvector reads it."""
    return "[" + ",".join(f"{value:.7g}" for value in vector) + "]"


def ensure_indexes(session: PostgresSession, dimensions: int) -> None:
    """Make the HNSW indexes for vectors of an embedding model's size, where they are not there.

    Raises:
        PostgresError: no index can hold vectors of that size.
    """
    if not 0 < dimensions <= _MOST_DIMENSIONS:
        raise PostgresError(
            f"the embedding model makes vectors of {dimensions} dimensions, and pgvector indexes at most "
            f"{_MOST_DIMENSIONS}: choose another one (EMBEDDING_MODEL)"
        )
    for table in _TABLES:
        session.script(
            f"CREATE INDEX IF NOT EXISTS {table}_near_{dimensions} ON {table} "
            f"USING hnsw ((vector::vector({dimensions})) vector_cosine_ops) "
            f"WHERE vector_dims(vector) = {dimensions}"
        )
