"""A crawl of a documentation site, end to end: cost, completeness, quality.

    uv run python benchmarks/crawl_site.py FOLDER [--queries FILE.jsonl] [--pages-for-memory 60]

FOLDER is a static website, `/usr/share/doc/git-doc` of Debian's package git-doc say. It is served on
loopback and crawled three times: by hashing models (what everything but embedding costs), the same with fewer
pages (is memory flat?), and by the configured models. trafilatura alone runs over the same pages. Child
processes count everywhere. FILE.jsonl has a line a query, with URLs relative to the site:
{"query": "...", "kind": "faq", "gold": [{"url": "git-rebase.html"}]}. The figures are success@5 and nDCG@10
of pages (binary gain, a page counts once).
"""

import argparse
import functools
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ragcrawler.bootstrap import open_retriever

HASHING = {"EMBEDDING_MODEL": "hashing/384", "SPARSE_EMBEDDING_MODEL": "hashing/sparse"}
TRAFILATURA = """
import sys, pathlib, trafilatura
for name in sys.stdin.read().splitlines():
    trafilatura.extract(pathlib.Path(name).read_bytes(), output_format="markdown", include_tables=True,
                        include_links=True, include_formatting=True)
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """Of a process and its children: CPU and wall seconds, peak resident bytes of the largest process."""

    cpu: float
    wall: float
    peak: int


def measured(command: list[str], *, text: str = "", env: dict[str, str] | None = None) -> Cost:
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True, env=os.environ | (env or {}))
    assert process.stdin
    process.stdin.write(text)
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 4):
        sys.exit(f"{command[:4]} ended with {os.waitstatus_to_exitcode(status)}")
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss * 1024)


def crawl(url: str, output: Path, *arguments: str, **settings: str) -> Cost:
    values = {"OUTPUT_DIR": str(output), "JUNK_URL_PATTERN": "", "LOG_LEVEL": "WARNING", **settings}
    given = [part for name, value in values.items() for part in ("-s", f"{name}={value}")]
    return measured(
        [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"domains={url}", *arguments, *given]
    )


def report(output: Path) -> dict:
    (path,) = output.glob("runs/*/report.json")
    return json.loads(path.read_text(encoding="utf-8"))


def pages(output: Path, folder: Path) -> list[str]:
    (feed,) = output.glob("runs/*/documents.jsonl")
    paths = []
    for line in feed.open(encoding="utf-8"):
        path = folder / unquote(urlsplit(json.loads(line)["url"]).path).lstrip("/")
        paths.append(str(path / "index.html" if path.is_dir() else path))
    return paths


def quality(output: Path, queries: Path) -> None:
    figures: dict[str, list[tuple[float, float]]] = defaultdict(list)
    with open_retriever(OUTPUT_DIR=str(output)) as retriever:
        for line in queries.open(encoding="utf-8"):
            query = json.loads(line)
            hits = retriever.search(query["query"], 50)
            found = [urlsplit(chunk.source_url).path.lstrip("/") for chunk, _ in hits]
            ranked = [path for path in dict.fromkeys(found) if path not in query.get("exclude", [])][:10]
            gold = {entry["url"] for entry in query["gold"]}
            gain = sum(1 / math.log2(rank + 2) for rank, path in enumerate(ranked) if path in gold)
            ideal = sum(1 / math.log2(rank + 2) for rank in range(min(len(gold), 10)))
            figures[query.get("kind", "all")].append((float(bool(gold & set(ranked[:5]))), gain / ideal))
    for kind, rows in sorted(figures.items()):
        success, ndcg = (statistics.fmean(column) for column in zip(*rows, strict=True))
        print(f"  {kind:<10} n={len(rows):<4} success@5 {success:.3f}  nDCG@10 {ndcg:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=Path)
    parser.add_argument("--pages-for-memory", type=int, default=60)
    options = parser.parse_args()
    handler = functools.partial(QuietHandler, directory=str(options.folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    with tempfile.TemporaryDirectory() as scratch:
        few, bare, whole = (Path(scratch) / name for name in ("few", "bare", "whole"))
        small = crawl(url, few, "-a", f"max_pages={options.pages_for_memory}", **HASHING)
        rest = crawl(url, bare, **HASHING)
        alone = measured([sys.executable, "-c", TRAFILATURA], text="\n".join(pages(bare, options.folder)))
        cost = crawl(url, whole)
        numbers = report(whole)
        models = numbers["models"]
        print(
            f"pages {numbers['pages']['fetched']}, chunks made {numbers['chunks']['made']}, "
            f"stored {numbers['chunks']['points']}, in the collection {numbers['collection_points']}"
        )
        print(f"models {models['dense']} and {models['sparse']}")
        print(f"wall {cost.wall:.0f} s, CPU {cost.cpu:.0f} s, of it embedding {1 - rest.cpu / cost.cpu:.0%}")
        ratio = rest.cpu / alone.cpu
        print(f"CPU besides embedding {rest.cpu:.1f} s, trafilatura alone {alone.cpu:.1f} s: {ratio:.2f}")
        print(
            f"peak memory {cost.peak / 2**20:.0f} MiB; besides embedding {rest.peak / 2**20:.0f} MiB, "
            f"with {options.pages_for_memory} pages {small.peak / 2**20:.0f} MiB"
        )
        if options.queries:
            quality(whole, options.queries)
    server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    main()
