"""Three processes run one crawl, on Redis, PostgreSQL and a Qdrant server; one of them is killed."""

import json
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.postgres import PostgresAddress
from tests.frontier.redis_process import MISSING, PROGRAM, RedisProcess
from tests.stores.conftest import QdrantRestDouble
from tests.warm_python import Python

PAGES = 40
WORKERS = 3


@pytest.fixture
def services(tmp_path: Path, postgres_address: PostgresAddress) -> Iterator[dict[str, str]]:
    """The settings that name them."""
    if PROGRAM is None:
        pytest.skip(MISSING)
    redis, qdrant = RedisProcess(tmp_path), QdrantRestDouble()
    redis.start()
    thread = threading.Thread(target=qdrant.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield {
        "REDIS_URL": redis.url,
        "QDRANT_URL": f"http://127.0.0.1:{qdrant.server_address[1]}",
        "POSTGRES_DSN": postgres_address.dsn,
    }
    qdrant.shutdown()
    qdrant.server_close()
    redis.kill()


def test_three_workers_run_one_crawl_though_one_is_killed(
    site: Any, services: dict[str, str], settings: dict[str, Any], python: Python, tmp_path: Path
) -> None:
    """A tree of pages, all but the start page linked from two others."""
    site.page("/", "/1", "/2")
    for number in range(1, PAGES):
        below = range(2 * number + 1, 2 * number + 4)
        site.page(f"/{number}", "/", *(f"/{each}" for each in below if each < PAGES))
    given = {
        **services,
        **{name: settings[name] for name in ("EMBEDDING_MODEL", "SPARSE_EMBEDDING_MODEL")},
        "REDIS_LEASE_SECONDS": 4,
        "DOWNLOAD_DELAY": 0.05,
        "AUTOTHROTTLE_ENABLED": 0,
        "PREPARATION_WORKERS": 1,
    }
    options = [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
    crawl = ("-m", "scrapy", "crawl", "seeds", "-a", f"domains={site.url}", *options)
    workers = [python(*crawl, "-s", f"OUTPUT_DIR={tmp_path / str(number)}") for number in range(WORKERS)]
    while len(site.requests) < PAGES // 2 and workers[0].poll() is None:
        signal.sigtimedwait([], 0.01)
    workers[0].kill()
    errors = [worker.communicate(120)[1] for worker in workers]
    assert [worker.returncode for worker in workers[1:]] == [0, 0], errors
    (path,) = tmp_path.glob("*/runs/*/report.json")
    report = json.loads(path.read_text())
    assert report["pages"] == {"seen": PAGES, "open": 0, "fetched": PAGES, "skipped": {}, "failed": {}}
    assert (report["disagreements"], report["deletions"]) == ([], [])
    assert report["chunks"]["made"] == report["chunks"]["points"] == report["collection_points"] == PAGES
    assert sorted(each["end"] for each in report["workers"]) == ["died", "finished", "finished"]
    lines = path.with_name("documents.jsonl").read_text().splitlines()
    documents = [json.loads(line)["url"] for line in lines]
    assert sorted(documents) == sorted(f"{site.url}/{number or ''}" for number in range(PAGES))
    asked = Counter(site.requests)
    assert max(asked[f"/{number or ''}"] for number in range(PAGES)) <= 2
