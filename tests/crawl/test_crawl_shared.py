"""Processes that run one crawl, on Redis, PostgreSQL and a Qdrant server: one is killed; Redis stays away."""

import json
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.postgres.address import PostgresAddress
from tests.frontier.redis_process import MISSING, PROGRAM, RedisProcess
from tests.stores.conftest import QdrantRestDouble
from tests.warm_python import Python

PAGES = 40
WORKERS = 3


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisProcess]:
    if PROGRAM is None:
        pytest.skip(MISSING)
    process = RedisProcess(tmp_path)
    process.start()
    yield process
    process.kill()


@pytest.fixture
def options(
    redis: RedisProcess, postgres_address: PostgresAddress, settings: dict[str, Any]
) -> Iterator[list[str]]:
    """The options of a crawl that name the services, and models that need no file."""
    qdrant = QdrantRestDouble()
    thread = threading.Thread(target=qdrant.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    given = {
        "REDIS_URL": redis.url,
        "QDRANT_URL": f"http://127.0.0.1:{qdrant.server_address[1]}",
        "POSTGRES_DSN": postgres_address.dsn,
        **{name: settings[name] for name in ("EMBEDDING_MODEL", "SPARSE_EMBEDDING_MODEL")},
        "DOWNLOAD_DELAY": 0.05,
        "AUTOTHROTTLE_ENABLED": 0,
        "PREPARATION_WORKERS": 1,
    }
    yield [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
    qdrant.shutdown()
    qdrant.server_close()


def test_three_workers_run_one_crawl_though_one_is_killed(
    site: Any, options: list[str], python: Python, tmp_path: Path
) -> None:
    """A tree of pages, all but the start page linked from two others."""
    site.page("/", "/1", "/2")
    for number in range(1, PAGES):
        below = range(2 * number + 1, 2 * number + 4)
        site.page(f"/{number}", "/", *(f"/{each}" for each in below if each < PAGES))
    crawl = (
        "-m",
        "scrapy",
        "crawl",
        "seeds",
        "-a",
        f"domains={site.url}",
        *options,
        "-s",
        "REDIS_LEASE_SECONDS=4",
    )
    workers = [python(*crawl, "-s", f"OUTPUT_DIR={tmp_path / '0'}")]
    while not site.requests and workers[0].poll() is None:
        signal.sigtimedwait([], 0.01)  # it has joined the crawl: else its death would be nobody's
    workers += [python(*crawl, "-s", f"OUTPUT_DIR={tmp_path / str(each)}") for each in range(1, WORKERS)]
    while len(site.requests) < PAGES // 2 and workers[0].poll() is None:
        signal.sigtimedwait([], 0.01)
    workers[0].kill()
    errors = [worker.communicate(120)[1] for worker in workers]
    assert [worker.returncode for worker in workers[1:]] == [0, 0], errors
    assert [said.count("] ERROR: ") for said in errors[1:]] == [0, 0], errors
    (path,) = tmp_path.glob("*/runs/*/report.json")
    report = json.loads(path.read_text())
    assert report["pages"] == {"seen": PAGES, "open": 0, "fetched": PAGES, "skipped": {}, "failed": {}}
    assert (report["disagreements"], report["deletions"]) == ([], [])
    assert report["chunks"]["made"] == report["chunks"]["points"] == report["collection_points"] == PAGES
    assert sorted(each["end"] for each in report["workers"]) == ["died", "finished", "finished"]
    feed = path.with_name("documents.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["url"] for line in feed) == sorted(
        f"{site.url}/{number or ''}" for number in range(PAGES)
    )
    asked = Counter(site.requests)
    assert max(asked[f"/{number or ''}"] for number in range(PAGES)) <= 2


def test_a_worker_ends_once_when_redis_stays_away_and_a_later_one_goes_on(
    site: Any, redis: RedisProcess, options: list[str], python: Python, tmp_path: Path
) -> None:
    pages = 12
    for number in range(pages):
        site.page(f"/{number or ''}", *(f"/{each}" for each in range(1, pages)))
    crawl = ("-m", "scrapy", "crawl", "seeds", "-a", f"domains={site.url}", *options)
    crawl += (
        "-s",
        "REDIS_WAIT_SECONDS=0.2",
        "-s",
        "REDIS_LEASE_SECONDS=2",
        "-s",
        f"OUTPUT_DIR={tmp_path / 'output'}",
    )
    worker = python(*crawl)
    while len(site.requests) < pages // 2 and worker.poll() is None:
        signal.sigtimedwait([], 0.01)
    redis.kill()
    _, said = worker.communicate(120)
    assert worker.returncode == 130, said
    assert said.count(f"The crawl stops: Redis at {redis.url} does not answer") == 1
    assert said.endswith("The crawl was interrupted: the same command goes on with it\n")
    assert (said.count("] ERROR: "), said.count("Traceback")) == (1, 0), said
    redis.start()
    later = python(*crawl)
    _, said = later.communicate(120)
    assert later.returncode == 0, said
    # Within the two seconds of a lease the first worker still counts as one that works.
    assert "The crawl goes on from run" in said or "Joins a crawl: workers 2" in said
    (path,) = tmp_path.glob("*/runs/*/report.json")
    report = json.loads(path.read_text())
    assert report["pages"] == {"seen": pages, "open": 0, "fetched": pages, "skipped": {}, "failed": {}}
    assert (report["disagreements"], report["collection_points"]) == ([], pages)
