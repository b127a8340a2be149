"""Whatever a power cut leaves of an index: `verify` tells the truth about it, and the next crawl mends it."""

import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from power_cut import workload
from power_cut.cuts import cuts
from power_cut.disk import Disk
from power_cut.recording import Event, Recording, Renamed, Resized, Synced, Wrote
from power_cut.system_calls import is_supported, observed

from ragcrawler.catalogue import DocumentCatalogue, SqliteCatalogue
from ragcrawler.maintenance.verification import IndexScan
from ragcrawler.stores import ChunkStore, open_store
from ragcrawler.stores.aliases import open_aliases

STATES = 30
pytestmark = pytest.mark.skipif(not is_supported(), reason="the kernel cannot hold a program at its calls")

Chunks = frozenset[tuple[str, str, int]]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in memory where there is one: the syncs of all states would keep a disk busy for minutes."""
    shared = Path("/dev/shm")
    where = shared if os.access(shared, os.W_OK) else tmp_path_factory.getbasetemp()
    with tempfile.TemporaryDirectory(dir=where) as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def base() -> Iterator[tuple[Disk, list[Event]]]:
    """The disk before the workload, and all that happens in it.

    Recorded on a disk: in memory, pages that were only read count as data, hundreds of megabytes of zeros.
    """
    with tempfile.TemporaryDirectory() as folder:
        yield _recorded(Path(folder))


def _recorded(output: Path) -> tuple[Disk, list[Event]]:
    workload.prepare(output)
    recording = Recording(output)
    disk = Disk()
    for event in recording.events:
        disk.apply(event)
    disk.settle()
    before = len(recording.events)
    path = Path(workload.__file__).parents[1]
    command = [sys.executable, "-m", "power_cut.workload", str(output)]
    assert observed(command, recording, os.environ | {"PYTHONPATH": str(path)}) == 0
    recording.close()
    return disk, recording.events[before:]


def expected(site: dict[str, str]) -> dict[str, Chunks]:
    return {name: chunks_of(workload.document(name, parts).chunks) for name, parts in site.items()}


def chunks_of(chunks: object) -> Chunks:
    return frozenset((chunk.id, chunk.content, chunk.position) for chunk in chunks)  # type: ignore[attr-defined]


def stored(store: ChunkStore, name: str) -> Chunks:
    return chunks_of(store.scroll(filters={"document_id": name}))


def faults(store: ChunkStore, catalogue: DocumentCatalogue) -> dict[str, tuple[str, ...]]:
    found = IndexScan(store, catalogue, workload.MODELS).faulty_documents()
    return {each.document_id: tuple(fault.kind for fault in each.faults) for each in found}


def test_the_index_is_right_after_a_power_cut_at_any_instant_and_after_the_next_crawl(
    base: tuple[Disk, list[Event]], memory: Path
) -> None:
    disk, events = base
    assert {Wrote, Resized, Renamed, Synced} == {type(event) for event in events}
    old, new = expected(workload.BEFORE), expected(workload.AFTER)
    untrue: list[str] = []
    for number, (name, state) in enumerate(cuts(events, STATES, base=disk)):
        output = memory / str(number)
        output.mkdir()
        state.write(output)
        with (
            open_store(workload.config(output)) as store,
            SqliteCatalogue(workload.catalogue_path(output)) as catalogue,
        ):
            faulty = faults(store, catalogue)
            for each in old.keys() | new.keys():
                is_right = stored(store, each) in {old.get(each, frozenset()), new.get(each, frozenset())}
                if each not in faulty and not is_right:
                    untrue.append(f"{name}: {each} passes for whole")
            workload.crawl(store, catalogue, workload.AFTER)
            if faulty := faults(store, catalogue):
                untrue.append(f"{name}: {faulty} after a crawl")
            if {each: stored(store, each) for each in old | new} != {**dict.fromkeys(old, Chunks()), **new}:
                untrue.append(f"{name}: another text after a crawl")
        assert open_aliases(workload.config(output)).resolve("name") in {"index", "other"}
        shutil.rmtree(output)
    assert untrue == []


def test_what_a_program_finished_is_durable(base: tuple[Disk, list[Event]], tmp_path: Path) -> None:
    disk, events = base
    for event in events:
        disk.apply(event)
    state = disk.cut(random.Random(0), lambda _file, _page: False, 0, torn=False)
    state.write(tmp_path)
    with (
        open_store(workload.config(tmp_path)) as store,
        SqliteCatalogue(workload.catalogue_path(tmp_path)) as catalogue,
    ):
        assert faults(store, catalogue) == {}
        assert {record.document_id for record in catalogue.documents()} == workload.AFTER.keys()
    assert open_aliases(workload.config(tmp_path)).resolve("name") == "index"
