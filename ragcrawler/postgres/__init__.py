"""PostgreSQL: one connection that outlives breaks, numbered migrations, and a server of our own."""

from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.postgres.embedded_server import EmbeddedServer
from ragcrawler.postgres.errors import PostgresAwayError, PostgresError
from ragcrawler.postgres.migrations import Migration, migrate, read_migrations
from ragcrawler.postgres.session import PostgresSession

__all__ = [
    "EmbeddedServer",
    "Migration",
    "PostgresAddress",
    "PostgresAwayError",
    "PostgresError",
    "PostgresSession",
    "migrate",
    "read_migrations",
]
