"""The power goes at any instant of a crawl: does `verify` tell the truth, and does the next crawl mend it?

    uv run python benchmarks/power_cuts.py [--states 2000] [--crawls 100] [--folder /dev/shm]
        [--token-vectors]

Needs Linux 5.5 or later. A small site is crawled, changes, and is crawled again; every call by which the
crawls change or sync files is recorded, mapped files included. From that, states of the disk are made that a
power cut may leave (power_cut/disk.py). Each is opened and verified, and in some of them the site is crawled
once more. A lie is a document that passes for whole and is neither as before the crawl nor as after it, and
anything but the site as it is now once it was crawled again.
"""

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from index_changes import QUICK, WITH_TOKENS, ChangingSite
from power_cut.cuts import cuts
from power_cut.disk import Disk, State
from power_cut.recording import Event, Recording
from power_cut.system_calls import observed
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.settings import Settings

from ragcrawler.catalogue import CatalogueError, SqliteCatalogue
from ragcrawler.config.defaults import project_settings
from ragcrawler.maintenance.verification import IndexScan
from ragcrawler.stores import ChunkStore, StoreConfig, StoreError, open_store
from ragcrawler.stores.point_checksum import vector_checksum

SMALL = {"CHUNK_TARGET_TOKENS": "60", "CHUNK_MAX_TOKENS": "90", "CHUNK_MIN_TOKENS": "10", "GONE_AFTER": "1"}
Point = tuple[str, str, str]
Index = dict[str, frozenset[Point]]
PAGES = 40
DAMAGED = "cannot be opened, crawled again each"


def page(number: int, parts: str) -> str:
    links = "".join(f'<a href="page{each}.html">{each}</a> ' for each in range(PAGES + 2))
    text = "".join(
        f"<h2>Part {part}</h2><p>{f'Who waters bed {number} notes early what {part} shows. ' * 4}</p>"
        for part in parts
    )
    return f"<html><body><main><h1>Bed {number}</h1>{text}</main><nav>{links}</nav></body></html>"


def write_site(folder: Path, *, is_changed: bool) -> None:
    """Before and after: of the pages some change, shrink, swap parts, go and come."""
    pages = dict.fromkeys(range(PAGES), "abcd")
    if is_changed:
        pages |= {1: "abxd", 2: "ab", 3: "cabd", 4: "abcdef", PAGES: "ab", PAGES + 1: "xyz"}
        del pages[5], pages[6]
    for old in folder.glob("*.html"):
        old.unlink()
    for number, parts in pages.items():
        (folder / f"page{number}.html").write_text(page(number, parts))
    (folder / "index.html").write_text(page(99, "mn"))


def settings(output: Path) -> dict[str, str]:
    return {**QUICK, **SMALL, "OUTPUT_DIR": str(output), "QDRANT_URL": ""}


@dataclass(frozen=True, slots=True)
class Crawl:
    """A crawl that was recorded: the disk before it, its events, and the index before and after."""

    base: Disk
    events: list[Event]
    old: Index
    new: Index


def recorded_crawl(output: Path, site: ChangingSite, old: Index) -> Crawl:
    recording = Recording(output)
    base, known = Disk(), len(recording.events)
    for event in recording.events:
        base.apply(event)
    base.settle()
    given = [part for name, value in settings(output).items() for part in ("-s", f"{name}={value}")]
    command = [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"domains={site.url}"]
    code = observed([*command, "-a", "force_delete=1", *given], recording, dict(os.environ))
    recording.close()
    assert code == 0, code
    new, faulty = look(output)
    assert new != old
    assert not faulty
    return Crawl(base, recording.events[known:], old, new)


async def _crawl(output: Path, site: ChangingSite) -> None:
    quiet: dict[str, Any] = {
        "LOG_ENABLED": False,
        "TWISTED_REACTOR_ENABLED": False,
        "PROGRESS_ENABLED": False,
    }
    runner = AsyncCrawlerRunner(Settings({**project_settings(), **settings(output), **quiet}))
    await runner.crawl("seeds", domains=site.url, force_delete="1")


def points(store: ChunkStore) -> Index:
    """The stored ids, texts and vectors of each document."""
    found: dict[str, set[Point]] = {}
    for point in store.points():
        content = str(point.payload.get("content"))
        entry = (point.id, content, vector_checksum(point))
        found.setdefault(str(point.payload.get("document_id")), set()).add(entry)
    return {document: frozenset(entries) for document, entries in found.items()}


def look(output: Path) -> tuple[Index, dict[str, Counter[str]]]:
    """The points, and what `verify` finds, by document."""
    config = StoreConfig(folder=output / "qdrant", collection="ragcrawler")
    with open_store(config) as store:
        models = store.models()
        if models is None:
            return {}, {}
        with SqliteCatalogue(output / "catalogue" / "ragcrawler.sqlite") as catalogue:
            found = {
                each.document_id: Counter(fault.kind for fault in each.faults)
                for each in IndexScan(store, catalogue, models).faulty_documents()
            }
            return points(store), found


def states(first: Crawl, second: Crawl, number: int) -> Iterator[tuple[Crawl, str, State]]:
    """A quarter of them in the first crawl, in which most is the making of the collection."""
    for crawl, share in ((first, number // 4), (second, number - number // 4)):
        for name, state in cuts(crawl.events, share, base=crawl.base):
            yield crawl, f"crawl {1 if crawl is first else 2}: {name}", state


def lies_of(output: Path, crawl: Crawl) -> tuple[str, list[str]]:
    """The findings in a state: a word, and the statements that do not hold."""
    try:
        found, faulty = look(output)
    except (StoreError, CatalogueError):
        return DAMAGED, []
    lies = [
        f"{document} passes for whole"
        for document in found.keys() | crawl.old.keys() | crawl.new.keys()
        if document not in faulty
        and found.get(document) not in (crawl.old.get(document), crawl.new.get(document))
    ]
    kinds = sorted({kind for counts in faulty.values() for kind in counts})
    return (", ".join(kinds) or ("whole" if found else "empty")), lies


def crawl_again(output: Path, site: ChangingSite, after: Index) -> list[str]:
    asyncio.run(_crawl(output, site))
    found, faulty = look(output)
    lies = [f"after a crawl {document}: {dict(kinds)}" for document, kinds in faulty.items()]
    wrong = [
        document for document in found.keys() | after.keys() if found.get(document) != after.get(document)
    ]
    return lies + [f"after a crawl {document} has another text" for document in wrong]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--states", type=int, default=2000)
    parser.add_argument("--crawls", type=int, default=100)
    parser.add_argument("--folder", type=Path, default=Path("/dev/shm"), help="for the states")
    parser.add_argument("--token-vectors", action="store_true", help="of a bundled model")
    options = parser.parse_args()
    if options.token_vectors:
        QUICK.update(WITH_TOKENS)
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory(dir=options.folder) as memory:
        pages, output = Path(scratch) / "site", Path(scratch) / "output"
        pages.mkdir()
        output.mkdir()
        site = ChangingSite(pages)
        write_site(pages, is_changed=False)
        first = recorded_crawl(output, site, {})
        write_site(pages, is_changed=True)
        second = recorded_crawl(output, site, first.new)
        print(f"recorded {len(first.events)} and {len(second.events)} events of two crawls", flush=True)
        _try(options, (first, second), site, Path(memory))
        site.server.shutdown()


def _try(options: argparse.Namespace, crawls: tuple[Crawl, Crawl], site: ChangingSite, memory: Path) -> None:
    found: Counter[str] = Counter()
    lies: list[str] = []
    crawled, started, output = 0, time.process_time(), memory / "state"
    for number, (crawl, name, state) in enumerate(states(*crawls, options.states)):
        output.mkdir()
        state.write(output)
        what, untrue = lies_of(output, crawl)
        found[what] += 1
        is_chosen = (
            number * options.crawls // options.states != (number + 1) * options.crawls // options.states
        )
        if is_chosen or what == DAMAGED:
            crawled += 1
            untrue += crawl_again(output, site, crawls[1].new)
        lies += [f"{name}: {each}" for each in untrue]
        shutil.rmtree(output)
        if (number + 1) % 100 == 0:
            print(f"{number + 1} states, {crawled} crawls, {len(lies)} lies", flush=True)
    for what, count in found.most_common():
        print(f"{count:>6} {what}")
    for lie in lies:
        print(lie)
    print(f"{sum(found.values())} states, {crawled} crawled once more, {len(lies)} lies, ", end="")
    print(f"{time.process_time() - started:.0f} s of CPU")


if __name__ == "__main__":
    main()
