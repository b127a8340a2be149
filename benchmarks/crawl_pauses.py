"""Processes of `scrapy crawl` that share a crawl, one of which stands still for longer than its leases.

    PYTHONPATH=. uv run python benchmarks/crawl_pauses.py [--pages 300] [--lease 4] [--pause 13] [--runs 3]

Starts its own redis-server, PostgreSQL, the suite's double of a Qdrant server and a site on this machine.
Each answer of the site says how often its page was asked for. Three workers crawl it; one is stopped by
SIGSTOP and goes on after `--pause` seconds, when others have asked for its pages again. Then the text of each
page in the store should be that of the last answer. One JSON line a run.
"""

import argparse
import json
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from ragcrawler.postgres import EmbeddedServer
from tests.crawl.conftest import LoopbackSite
from tests.frontier.redis_process import RedisProcess
from tests.stores.conftest import QdrantRestDouble

LOOK_SECONDS = 0.02
WORKERS = 3
_VERSION = re.compile(r"Version (\d+) of this page")


class ChangingSite(LoopbackSite):
    """A start page and a tree of others, four below each; every answer has another text."""

    def __init__(self, pages: int) -> None:
        super().__init__()
        self.served: Counter[str] = Counter()
        self._lock = threading.Lock()
        for number in range(pages):
            below = [each for each in range(4 * number + 1, 4 * number + 5) if each < pages]
            self.answers[f"/{number or ''}"] = self._answer(f"/{number or ''}", below)

    def _answer(self, path: str, below: list[int]) -> Any:
        links = "".join(f'<li><a href="/{each}">page {each}</a></li>' for each in below)

        def answer() -> tuple[int, dict[str, str], bytes]:
            with self._lock:
                self.served[path] += 1
                version = self.served[path]
            text = f"Version {version} of this page at {path} has its own words, and as many as it needs. "
            more = " ".join(f"word{path}x{version}x{each}" for each in range(60))
            body = f"<title>Page {path}</title><main><h1>{path}</h1><p>{text}</p><p>{more}</p></main>"
            return 200, {}, f"<html><body>{body}<nav><ul>{links}</ul></nav></body></html>".encode()

        return answer


def command(site: LoopbackSite, services: dict[str, str], lease: float) -> list[str]:
    given = {
        **services,
        "REDIS_LEASE_SECONDS": lease,
        "EMBEDDING_MODEL": "hashing/384",
        "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
        "DOWNLOAD_DELAY": 0.05,
        "DOWNLOAD_DELAY_JITTER": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "AUTOTHROTTLE_ENABLED": 0,
        "PREPARATION_WORKERS": 1,
        "PROGRESS_ENABLED": 0,
    }
    settings = [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
    return [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"domains={site.url}", *settings]


def run(folder: Path, dsn: str, options: argparse.Namespace) -> dict[str, Any]:
    """One crawl; what store, report and the site's log say of it."""
    site, redis, qdrant = ChangingSite(options.pages), RedisProcess(folder), QdrantRestDouble()
    redis.start()
    threading.Thread(target=qdrant.serve_forever, daemon=True).start()
    services = {"REDIS_URL": redis.url, "QDRANT_URL": qdrant.url, "POSTGRES_DSN": dsn}
    program = command(site, services, options.lease)
    workers = [
        subprocess.Popen(
            [*program, "-s", f"OUTPUT_DIR={folder / str(number)}", "-s", f"USER_AGENT=worker-{number}"],
            stdout=subprocess.DEVNULL,
            stderr=(folder / f"{number}.log").open("w"),
        )
        for number in range(WORKERS)
    ]
    while (
        len(site.requests) < options.pages // 3
        or len({each["User-Agent"] for each in site.headers}) < WORKERS
    ):
        time.sleep(LOOK_SECONDS)
    workers[0].send_signal(signal.SIGSTOP)
    time.sleep(options.pause)
    workers[0].send_signal(signal.SIGCONT)
    codes = [worker.wait() for worker in workers]
    reports = [json.loads(path.read_text()) for path in folder.glob("*/runs/*/report.json")]
    found = judged(site, qdrant)
    for number, code in enumerate(codes):
        if code not in (0, 130):
            print((folder / f"{number}.log").read_text()[-6000:], file=sys.stderr)
    tracebacks = sum((folder / f"{number}.log").read_text().count("Traceback") for number in range(WORKERS))
    site.close()
    redis.kill()
    qdrant.shutdown()
    return {
        "exit_codes": codes,
        "tracebacks": tracebacks,
        "fetched": [report["pages"]["fetched"] for report in reports],
        "disagreements": [report["disagreements"] for report in reports],
        **found,
    }


def workers_of(site: ChangingSite) -> set[str]:
    """Who has asked for something."""
    return {each["User-Agent"] for each in site.headers}


def judged(site: ChangingSite, qdrant: QdrantRestDouble) -> dict[str, Any]:
    (collection,) = qdrant.engine.get_collections().collections
    points, _ = qdrant.engine.scroll(collection.name, limit=100_000)
    stored: dict[str, set[int]] = {}
    for point in points:
        payload = point.payload or {}
        for version in _VERSION.findall(payload["content"]):
            stored.setdefault(payload["source_url"].removeprefix(site.url), set()).add(int(version))
    return {
        "pages_stored": len(stored),
        "asked_twice": sum(count > 1 for count in site.served.values()),
        "stored_in_older_text": sum(max(stored.get(path, {0})) < last for path, last in site.served.items()),
        "stored_in_two_texts": sum(len(versions) > 1 for versions in stored.values()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--lease", type=float, default=4.0, help="seconds")
    parser.add_argument("--pause", type=float, default=13.0, help="seconds")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    for _ in range(options.runs):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o711)  # as root PostgreSQL runs as another user
            with EmbeddedServer(Path(folder) / "postgres", is_durable=False) as postgres:
                print(json.dumps(run(Path(folder), postgres.address.dsn, options)), flush=True)


if __name__ == "__main__":
    main()
