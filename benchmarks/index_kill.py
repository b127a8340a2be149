"""Killed in the middle of writing, again and again: is the index whole after the next crawl that ends?

    uv run python benchmarks/index_kill.py FOLDER [--kills 20] [--token-vectors]

FOLDER is a static website as for index_changes.py. Each crawl with hashing models, or with a bundled one and
its token vectors, is ended by SIGKILL while it writes a document, the first or a later one, and texts change
in between. Then one crawl runs to its end, and `scrapy verify` has to find nothing.
"""

import argparse
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

from index_changes import QUICK, WITH_TOKENS, ChangingSite, step

from ragcrawler.catalogue import SqliteCatalogue
from ragcrawler.maintenance.verification import IndexScan
from ragcrawler.stores import StoreConfig, open_store


def unfinished(catalogue: Path) -> set[str]:
    """The documents that are being written at this moment."""
    if not catalogue.exists():
        return set()
    with closing(sqlite3.connect(f"file:{catalogue}?mode=ro", uri=True, timeout=5)) as database:
        try:
            rows = database.execute("SELECT document_id FROM documents WHERE is_unfinished").fetchall()
        except sqlite3.OperationalError:  # its tables are being made
            return set()
    return {document_id for (document_id,) in rows}


def faults(output: Path) -> Counter[str]:
    """The faults that `scrapy verify` would find."""
    config = StoreConfig(folder=output / "qdrant", collection="ragcrawler")
    with (
        open_store(config) as store,
        SqliteCatalogue(output / "catalogue" / "ragcrawler.sqlite") as catalogue,
    ):
        models = store.models()
        assert models
        faulty = IndexScan(store, catalogue, models).faulty_documents()
        return Counter(fault.kind for document in faulty for fault in document.faults)


def killed_crawl(output: Path, site: ChangingSite, writes: int) -> bool:
    """Crawl until so many documents were seen being written, and kill; whether it came to that."""
    catalogue = output / "catalogue" / "ragcrawler.sqlite"
    left = unfinished(catalogue)
    values = {**QUICK, "OUTPUT_DIR": str(output)}
    given = [part for name, value in values.items() for part in ("-s", f"{name}={value}")]
    process = subprocess.Popen(
        [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"domains={site.url}", *given],
        stderr=subprocess.DEVNULL,
    )
    seen: set[str] = set()
    while process.poll() is None and len(seen) < writes:
        now = unfinished(catalogue)
        left &= now
        seen |= now - left
    process.send_signal(signal.SIGKILL)
    process.wait()
    return len(seen) >= writes


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--token-vectors", action="store_true")
    options = parser.parse_args()
    if options.token_vectors:
        QUICK.update(WITH_TOKENS)
    site = ChangingSite(options.folder)
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "output"
        for number in range(options.kills):
            # Every other kill meets documents that are stored already and have changed.
            site.edits = dict.fromkeys(
                (path.name for path in options.folder.glob("*.html")),
                lambda text, number=number: text.replace("<p>", f"<p>Edition {number // 2}. ", 3),
            )
            hit = killed_crawl(output, site, writes=1 + 3 * (number % 6))
            found = ", ".join(f"{kind} {count}" for kind, count in sorted(faults(output).items()))
            where = "in" if hit else "not in"
            print(f"kill {number + 1:>2} {where} the middle of a write: {found or 'no fault'}", flush=True)
        step("crawl to the end", output, site)
    site.server.shutdown()


if __name__ == "__main__":
    main()
