"""Processes of `scrapy crawl` that share one crawl: chunks, gaps between requests, the rate, and kills.

    PYTHONPATH=. uv run python benchmarks/crawl_workers.py [--pages 300] [--away 30] [--only killed]

Starts its own redis-server, PostgreSQL, the suite's double of a Qdrant server and a site on this machine.
Then one worker alone, three together, and three of which one is killed after a third of the pages, while
Redis is killed after two thirds and comes back after `--away` seconds. Gaps and rates are those of the
site's log, which a busy machine writes late; `requests_by_delay` is 1 where one was asked for in each delay.
One JSON line a run.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

from ragcrawler.postgres.embedded_server import EmbeddedServer
from tests.crawl.conftest import LoopbackSite
from tests.frontier.redis_process import RedisProcess
from tests.stores.conftest import QdrantRestDouble

LOOK_SECONDS = 0.02
WORKERS = 3


def site_of(pages: int) -> LoopbackSite:
    """A start page and a tree of others, four below each."""
    site = LoopbackSite()
    site.page("/", *(f"/{number}" for number in range(1, 5)))
    for number in range(1, pages):
        below = range(4 * number + 1, 4 * number + 5)
        site.page(f"/{number}", "/", *(f"/{each}" for each in below if each < pages))
    return site


def command(site: LoopbackSite, services: dict[str, str], options: argparse.Namespace) -> list[str]:
    given = {
        **services,
        "REDIS_LEASE_SECONDS": options.lease,
        "EMBEDDING_MODEL": "hashing/384",
        "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
        "DOWNLOAD_DELAY": options.delay,
        "DOWNLOAD_DELAY_JITTER": 0,
        "AUTOTHROTTLE_ENABLED": 0,
        "PREPARATION_WORKERS": 1,
        "PROGRESS_ENABLED": 0,
    }
    settings = [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
    return [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"domains={site.url}", *settings]


def run(name: str, workers: int, folder: Path, dsn: str, options: argparse.Namespace) -> dict[str, Any]:
    """One crawl; what its report and the site's log say."""
    site, redis, qdrant = site_of(options.pages), RedisProcess(folder), QdrantRestDouble()
    redis.start()
    threading.Thread(target=qdrant.serve_forever, daemon=True).start()
    place = f"http://127.0.0.1:{qdrant.server_address[1]}"
    services = {"REDIS_URL": redis.url, "QDRANT_URL": place, "POSTGRES_DSN": dsn}
    program = command(site, services, options)
    started = [
        subprocess.Popen(
            [*program, "-s", f"OUTPUT_DIR={folder / str(number)}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for number in range(workers)
    ]
    if name == "killed":
        wait_for(site, options.pages // 3)
        started[0].kill()
        wait_for(site, 2 * options.pages // 3)
        redis.kill()
        time.sleep(options.away)
        redis.start()
    codes = [process.wait() for process in started]
    reports = [json.loads(path.read_text()) for path in folder.glob("*/runs/*/report.json")]
    for server in (site, redis):
        server.close() if isinstance(server, LoopbackSite) else server.kill()
    qdrant.shutdown()
    return {"run": name, "exit_codes": codes, "reports": len(reports), **judged(site, reports[0], options)}


def wait_for(site: LoopbackSite, requests: int) -> None:
    while len(site.requests) < requests:
        time.sleep(LOOK_SECONDS)


def judged(site: LoopbackSite, report: dict[str, Any], options: argparse.Namespace) -> dict[str, Any]:
    pages = [path for path in site.requests if path == "/" or path[1:].isdigit()]
    gaps = [later - sooner for sooner, later in pairwise(sorted(site.times))]
    usual = sorted(gaps)[len(gaps) // 2]
    return {
        "fetched": report["pages"]["fetched"],
        "asked_twice": sum(Counter(pages).values()) - len(set(pages)),
        "points": report["collection_points"],
        "chunks_made": report["chunks"]["made"],
        "deletions": len(report["deletions"]),
        "disagreements": report["disagreements"],
        "workers": sorted(worker["end"] for worker in report["workers"]),
        "least_gap_by_delay": round(min(gaps) / options.delay, 3),
        "median_gap_by_delay": round(usual / options.delay, 3),
        "least_gaps": [
            [round(gap / options.delay, 3), *paths] for gap, *paths in sorted(neighbours(site))[:3]
        ],
        "requests_by_delay": round(options.delay * len(gaps) / sum(gaps), 3),
    }


def neighbours(site: LoopbackSite) -> list[tuple[float, str, str]]:
    """Seconds between two requests, and what they asked for."""
    log = sorted(zip(site.times, site.requests, strict=True))
    return [(later[0] - sooner[0], sooner[1], later[1]) for sooner, later in pairwise(log)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--delay", type=float, default=0.2)
    parser.add_argument("--lease", type=float, default=20.0, help="seconds")
    parser.add_argument("--away", type=float, default=30.0, help="seconds without Redis")
    parser.add_argument("--only", choices=["one", "three", "killed"])
    options = parser.parse_args()
    for name, workers in (("one", 1), ("three", WORKERS), ("killed", WORKERS)):
        if options.only in (None, name):
            with tempfile.TemporaryDirectory() as folder:
                Path(folder).chmod(0o711)  # as root PostgreSQL runs as another user
                with EmbeddedServer(Path(folder) / "postgres", is_durable=False) as postgres:
                    print(
                        json.dumps(run(name, workers, Path(folder), postgres.address.dsn, options)),
                        flush=True,
                    )


if __name__ == "__main__":
    main()
