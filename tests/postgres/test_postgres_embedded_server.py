"""A server of our own: it carries pgvector, keeps its data, and ends with its process."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ragcrawler.postgres.embedded_server import EmbeddedServer
from ragcrawler.postgres.errors import PostgresError
from ragcrawler.postgres.session import PostgresSession

HOLDER = """
import sys, time
from pathlib import Path
from ragcrawler.postgres.embedded_server import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1]), is_durable=False)
server.start()
print("started", flush=True)
time.sleep(600)
"""


@pytest.fixture
def folder(postgres_server: EmbeddedServer) -> Path:
    """A folder that the server's user reaches, in that of the other server, which goes at the end."""
    return postgres_server._folder.with_name(f"other-{os.urandom(4).hex()}")


def test_it_has_pgvector(postgres_server: EmbeddedServer) -> None:
    with PostgresSession(postgres_server.address) as session:
        session.script("CREATE EXTENSION IF NOT EXISTS vector")
        ((distance,),) = session.rows("SELECT :a::vector <=> :b::vector", a="[1,0]", b="[0,1]")
    assert distance == 1.0


def test_data_outlive_a_killed_process_which_leaves_no_server(folder: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "started\n"
    server_id = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    holder.stdout.close()
    # Its last act is to remove this file; the start waits for that, since two cannot have one folder.
    with EmbeddedServer(folder, is_durable=False) as server:
        assert int((folder / "data" / "postmaster.pid").read_text().split()[0]) != server_id
        with PostgresSession(server.address) as session:
            assert session.rows("SELECT 1") == [(1,)]


def test_a_folder_that_another_server_has_is_refused_with_its_words(postgres_server: EmbeddedServer) -> None:
    with pytest.raises(PostgresError, match=r"does not start: .*lock file \"postmaster.pid\" already exists"):
        EmbeddedServer(postgres_server._folder, is_durable=False).start()


def test_a_folder_in_which_nothing_can_be_made_is_named(folder: Path) -> None:
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "somebody's").write_text("")
    with pytest.raises(PostgresError, match=r"no server can be made in .*exists but is not empty"):
        EmbeddedServer(folder).start()
