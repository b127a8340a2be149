"""The database of researches, on a thread of its own."""

from contextlib import ExitStack
from pathlib import Path
from typing import Self

from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.postgres.embedded_server import EmbeddedServer
from ragcrawler.postgres.session import PostgresSession
from ragcrawler.research.storage.database import SCHEMA, ResearchDatabase


class OpenDatabase:
    """Templates and researches; a server of our own runs as long as this is open.

    Args:
        address: of the database; None for a server of our own.
        server_folder: of that.

    Attributes:
        researches: the database.

    Raises:
        PostgresError: it cannot be opened.
    """

    def __init__(self, address: PostgresAddress | None, server_folder: Path) -> None:
        with ExitStack() as undo:
            if address is None:
                address = undo.enter_context(EmbeddedServer(server_folder)).address
            session = undo.enter_context(PostgresSession(address, schema=SCHEMA))
            self.researches = ResearchDatabase(session)
            self._closing = undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection, and end the server of our own."""
        self._closing.close()
