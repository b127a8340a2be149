"""A site crawled, exported in FireCrawl's shape, and read back: how many chunks are the same.

    python benchmarks/firecrawl_round_trip.py [FOLDER] [--broken 0.01] [--model hashing]

FOLDER holds a website as files; without one it is the demo's. It is served on this machine and crawled; its
pages are written as an export, each within a frame, with broken records between them. `scrapy crawl
firecrawl` reads it twice, with the same sizes of chunks, and `scrapy validate` judges the collection. The
exit code is 1 where less than .98 of the chunks are the same (as a multiset of texts), where a broken record
is not named by its index, where the second reading embeds anything, or where the validation has findings.

What the site itself repeats at the end of its pages is taken off as a frame too: each such page has another
last chunk then.
"""

import argparse
import functools
import json
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from firecrawl_export import read_feed, write_export

from ragcrawler.site_server import DEMO_SITE, SiteServer

PACKAGE = Path(__file__).parents[1]
LEAST_SHARE = 0.98
MODELS = {
    "hashing": ("hashing/384", "hashing/sparse"),
    "bundled": ("bundled/all-MiniLM-L6-v2", "bundled/splade-tiny"),
}


class Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Runs:
    """Crawls and their reports, in one output folder each."""

    def __init__(self, model: str) -> None:
        dense, sparse = MODELS[model]
        self._settings = {"EMBEDDING_MODEL": dense, "SPARSE_EMBEDDING_MODEL": sparse, "LOG_LEVEL": "ERROR"}
        self._settings |= {"DOWNLOAD_DELAY": "0", "AUTOTHROTTLE_ENABLED": "False", "QDRANT_URL": ""}
        self._settings |= {"CHUNK_PROFILE": "structure"}

    def run(self, output: Path, *arguments: str) -> int:
        """One command; its exit code."""
        settings = {**self._settings, "OUTPUT_DIR": str(output)}
        options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
        command = [sys.executable, "-m", "scrapy", *arguments, *options]
        return subprocess.run(command, cwd=PACKAGE, check=False, stdout=subprocess.DEVNULL).returncode


def newest(output: Path) -> Path:
    """The folder of the last run."""
    return max((output / "runs").iterdir(), key=lambda path: path.stat().st_mtime_ns)


def report(output: Path) -> dict[str, Any]:
    return json.loads((newest(output) / "report.json").read_text(encoding="utf-8"))


def texts(documents: list[dict[str, Any]]) -> Counter[str]:
    return Counter(chunk["content"] for document in documents for chunk in document["chunks"])


def crawl(runs: Runs, folder: Path | None, output: Path) -> list[dict[str, Any]]:
    """The documents of the site."""
    if folder is None:
        with SiteServer(DEMO_SITE) as server:
            runs.run(output, "crawl", "seeds", "-a", f"domains={server.url}")
    else:
        server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        runs.run(output, "crawl", "seeds", "-a", f"domains=http://127.0.0.1:{server.server_port}/")
        server.shutdown()
    return read_feed(newest(output) / "documents.jsonl")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--broken", type=float, default=0.01)
    parser.add_argument("--model", choices=MODELS, default="hashing")
    options = parser.parse_args()
    runs = Runs(options.model)
    with tempfile.TemporaryDirectory() as folder:
        site, read, export = Path(folder, "site"), Path(folder, "read"), Path(folder, "export.json")
        documents = crawl(runs, options.folder, site)
        every = max(1, min(round(1 / options.broken), len(documents)))
        broken = write_export(export, documents, every)
        code = runs.run(read, "crawl", "firecrawl", "-a", f"path={export}")
        first, back = newest(read), read_feed(newest(read) / "documents.jsonl")
        named = [row["url"] for row in read_feed(first / "failures.jsonl")] if broken else []
        runs.run(read, "crawl", "firecrawl", "-a", f"path={export}")
        stats = report(read)["stats"]
        validated = runs.run(read, "validate")
        sums = read_feed(read / "validation.jsonl")[-1]["sums"]
    crawled, first_texts = texts(documents), texts(back)
    same = (crawled & first_texts).total() / max(crawled.total(), first_texts.total())
    embedded = stats.get("ragcrawler/embed/texts", 0)
    print(f"{len(documents)} pages, {crawled.total()} chunks crawled, {first_texts.total()} read back")
    print(f"share of the same chunks: {same:.4f}")
    kept = sum(len(each["markdown"]) for each in back) / sum(len(each["markdown"]) for each in documents)
    print(f"share of the characters of all pages: {kept:.4f}")
    print(f"broken records: {len(broken)}, named: {named}; exit code {code}")
    print(f"second reading: {embedded} texts embedded")
    print(f"validation: exit code {validated}, {sums['findings']} findings in {sums['documents']} documents")
    is_named = named == [f"export.json#{index}" for index in broken]
    return int(same < LEAST_SHARE or not is_named or bool(embedded) or bool(validated))


if __name__ == "__main__":
    sys.exit(main())
