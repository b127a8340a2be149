"""Embedding in a crawl: what it costs, and what it never costs again."""

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Crawl = Callable[..., Any]


def embedded(run: Any) -> dict[str, int]:
    """The counts of the embedding stage, "texts" and so on."""
    prefix = "ragcrawler/embed/"
    return {name.removeprefix(prefix): count for name, count in run.stats.items() if name.startswith(prefix)}


def test_another_collection_embeds_nothing_anew(site: Any, crawl: Crawl) -> None:
    site.page("/", "/a")
    site.page("/a")
    first = crawl(domains=site.url)
    second = crawl(domains=site.url, QDRANT_COLLECTION="another")
    assert embedded(second)["texts"] == 0
    assert embedded(second)["cached"] == embedded(first)["texts"] == second.report["chunks"]["points"] > 0


def test_a_text_at_another_address_is_not_embedded_anew(site: Any, crawl: Crawl) -> None:
    site.page("/", "/old")
    site.page("/old", text="What this page says stays the same wherever it lies.")
    crawl(domains=site.url)
    answer = site.answers.pop("/old")
    site.answers["/new"] = answer
    site.page("/", "/new")
    again = embedded(crawl(domains=site.url, QDRANT_COLLECTION="another"))
    assert again["cached"] > 0
    assert again["texts"] == 0


def test_without_a_cache_every_collection_is_embedded(site: Any, crawl: Crawl) -> None:
    site.page("/")
    first = crawl(domains=site.url, EMBEDDING_CACHE_MEBIBYTES=0)
    second = crawl(domains=site.url, EMBEDDING_CACHE_MEBIBYTES=0, QDRANT_COLLECTION="another")
    assert embedded(second)["texts"] == embedded(first)["texts"] > 0
    assert not (first.output / "embedding_cache.sqlite").exists()


def test_a_damaged_cache_entry_is_reported_and_made_anew(site: Any, crawl: Crawl) -> None:
    site.page("/")
    first = crawl(domains=site.url)
    _damage(first.output / "embedding_cache.sqlite")
    second = crawl(domains=site.url, QDRANT_COLLECTION="another")
    assert embedded(second)["cache_damaged"] == 1
    assert embedded(second)["texts"] == 1
    assert second.report["exit_code"] == 0


def test_the_report_says_what_each_stage_took(site: Any, crawl: Crawl) -> None:
    site.page("/", "/a")
    site.page("/a")
    run = crawl(domains=site.url)
    times = run.report["times"]
    assert set(times) == {"fetch_wait", "convert", "chunk", "embed_dense", "embed_sparse", "upsert"}
    assert times["fetch_wait"]["count"] >= 2
    assert times["convert"]["count"] == times["chunk"]["count"] == times["upsert"]["count"] == 2
    assert times["embed_dense"]["count"] == times["embed_sparse"]["count"] == embedded(run)["texts"]
    assert times["fetch_wait"]["cpu_seconds"] is None
    assert times["convert"]["wall_seconds"] > 0
    assert times["convert"]["cpu_seconds"] > 0
    assert "| convert | 2 pages |" in next(run.output.glob("runs/*/report.md")).read_text("utf-8")


def _damage(path: Any) -> None:
    with sqlite3.connect(path) as database:
        database.execute("UPDATE vector SET content = zeroblob(8) WHERE rowid = 1")
    database.close()


class Service(ThreadingHTTPServer):
    """A service with OpenAI's interface; refuses texts with the word that it does not like."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answering)
        self.texts: list[str] = []

    @property
    def settings(self) -> dict[str, str]:
        """The settings that send a crawl here."""
        return {
            "EMBEDDING_PROVIDER": "openai",
            "EMBEDDING_URL": f"http://127.0.0.1:{self.server_port}/v1",
            "EMBEDDING_MODEL": "small",
            "EMBEDDING_API_KEY": "sk-very-secret",
        }


class _Answering(BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        self.server.texts += texts
        is_refused = any("unspeakable" in text for text in texts)
        rows = [{"index": index, "embedding": [len(text), 1.0]} for index, text in enumerate(texts)]
        content = json.dumps({"data": rows, "usage": {"total_tokens": 10 * len(texts)}}).encode()
        self.send_response(422 if is_refused else 200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_service_embeds_the_crawl_and_the_collection_remembers_it(
    site: Any, crawl: Crawl, service: Service
) -> None:
    site.page("/", "/a")
    site.page("/a")
    run = crawl(domains=site.url, **service.settings)
    assert run.report["exit_code"] == 0
    assert embedded(run)["texts"] == run.report["chunks"]["points"] == len(service.texts) - 1  # and the probe
    sent = len(service.texts)
    assert crawl(domains=site.url, **service.settings).report["exit_code"] == 0
    assert len(service.texts) == sent  # nothing changed: nobody is called, not even to ask for the dimensions
    again = crawl(domains=site.url, **service.settings | {"EMBEDDING_MODEL": "large"})
    assert again.report["exit_code"] != 0
    written = "".join(path.read_text() for path in run.output.rglob("*.json*"))
    assert "sk-very-secret" not in written


def test_a_text_that_the_service_refuses_costs_its_own_page_alone(
    site: Any, crawl: Crawl, service: Service
) -> None:
    site.page("/", "/a", "/b")
    site.page("/a", text="An unspeakable word stands on this page, and nothing else of note.")
    site.page("/b")
    run = crawl(domains=site.url, **service.settings)
    assert run.report["exit_code"] == 4
    assert run.failed == {"embed_error": 1}
    assert [failure["url"] for failure in run.failures] == [f"{site.url}/a"]


def test_a_spent_budget_loses_the_rest_for_that_reason(site: Any, crawl: Crawl, service: Service) -> None:
    site.page("/", "/a", "/b")
    site.page("/a")
    site.page("/b")
    run = crawl(domains=site.url, **service.settings, EMBEDDING_BUDGET_REQUESTS=2, EMBEDDING_REQUEST_TEXTS=1)
    assert run.failed == {"embedding_budget": 2}
    assert len(service.texts) == 2
    assert "EMBEDDING_BUDGET_REQUESTS" in run.failures[0]["message"]
