"""How much CPU link extraction takes beside Scrapy's LinkExtractor, on the same pages in the same run.

    python benchmarks/urls_links.py FOLDER [--pages 200]

FOLDER holds HTML files (`.html`, `.htm`, `.html.gz`) at any depth, for example the folder of a Debian package
with a manual in it. Both sides start from the response's bytes. Scrapy's side makes a response, extracts the
links and takes each one's fingerprint, for that is what its duplicate filter does with them; ours extracts
canonical links and enters each page's key into the ledger. Then the cost of a new URL is told apart: its key,
the traps, and the address guard, which is asked once a request. The figures are ratios within one run.
"""

import argparse
import gzip
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.request import fingerprint

from ragcrawler.frontier.filters.traps import TrapLimits, Traps
from ragcrawler.frontier.ledger import UrlLedger
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.frontier.target import Target
from ragcrawler.urls.address_guard import AddressGuard
from ragcrawler.urls.identity import url_key
from ragcrawler.urls.links.page_links import extract_links

BASE = "https://docs.example.org/manual/"
ROUNDS = 3


def read_pages(folder: Path, limit: int) -> list[bytes]:
    paths = sorted(path for pattern in ("*.html", "*.htm", "*.html.gz") for path in folder.rglob(pattern))
    step = max(1, len(paths) // limit)
    return [
        gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for path in paths[::step][:limit]
    ]


def scrapys_links(body: bytes, extractor: LinkExtractor) -> list[str]:
    response = HtmlResponse(BASE, body=body, encoding="utf-8")
    return [link.url for link in extractor.extract_links(response)]


def scrapys_way(bodies: list[bytes]) -> int:
    extractor = LinkExtractor()
    return len({fingerprint(Request(url)) for body in bodies for url in scrapys_links(body, extractor)})


def extractor_alone(bodies: list[bytes]) -> int:
    extractor = LinkExtractor()
    return sum(len(scrapys_links(body, extractor)) for body in bodies)


def ours(bodies: list[bytes]) -> int:
    ledger = UrlLedger(SqliteState().urls)
    return sum(ledger.add(Target(url)) for body in bodies for url in extract_links(body, BASE, "utf-8"))


def ours_alone(bodies: list[bytes]) -> int:
    return sum(len(extract_links(body, BASE, "utf-8")) for body in bodies)


def cpu_seconds(work: Callable[[list[bytes]], int], bodies: list[bytes]) -> tuple[float, int]:
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        found = work(bodies)
        times.append(time.process_time() - began)
    return statistics.median(times), found


def each_new_url(bodies: list[bytes]) -> None:
    """Microseconds of CPU for a URL that was not seen before."""
    urls = list(dict.fromkeys(url for body in bodies for url in extract_links(body, BASE, "utf-8")))
    traps, guard = Traps(TrapLimits(), SqliteState().notes), AddressGuard()
    steps: dict[str, Callable[[str], object]] = {
        "key": url_key,
        "traps": traps.refusal,
        "guard": guard.check_url,
    }
    url_key.cache_clear()
    print(f"{len(urls)} distinct URLs, {len(urls) / len(bodies):.1f} new ones a page")
    for name, step in steps.items():
        began = time.process_time()
        for url in urls:
            step(url)
        print(f"{name:16} {(time.process_time() - began) / len(urls) * 1e6:7.2f} us CPU a new URL")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=200)
    arguments = parser.parse_args()
    bodies = read_pages(arguments.folder, arguments.pages)
    if not bodies:
        parser.error(f"{arguments.folder} holds no HTML files")
    print(f"{len(bodies)} pages, {sum(map(len, bodies)) / len(bodies) / 1000:.0f} kB each")
    results = {
        work.__name__: cpu_seconds(work, bodies) for work in (scrapys_way, ours, extractor_alone, ours_alone)
    }
    for name, (seconds, found) in results.items():
        print(f"{name:16} {seconds / len(bodies) * 1000:7.2f} ms CPU a page {found:8} links")
    print(f"ratio links and fingerprints {results['scrapys_way'][0] / results['ours'][0]:.1f}")
    print(f"ratio links alone            {results['extractor_alone'][0] / results['ours_alone'][0]:.1f}")
    each_new_url(bodies)


if __name__ == "__main__":
    main()
