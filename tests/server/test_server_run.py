"""The socket that the server listens on."""

import socket
from contextlib import closing
from pathlib import Path

from ragcrawler.config.server import server_config
from ragcrawler.server.run import _bind
from tests.server.library import settings


def test_asyncio_sends_an_answer_without_waiting_for_a_full_packet(tmp_path: Path) -> None:
    """It does so where it knows the protocol; a connection has that of the socket that accepted it."""
    with (
        closing(_bind(server_config(settings(tmp_path), "127.0.0.1", 0))) as listening,
        closing(socket.create_connection(listening.getsockname())),
        closing(listening.accept()[0]) as accepted,
    ):
        assert accepted.proto == socket.IPPROTO_TCP
