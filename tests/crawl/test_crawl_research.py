"""A research in a crawl: what is read, reported, and not paid again."""

import asyncio
import errno
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from research_model import ReadingModel
from research_server import WebServer, address
from research_web import GOAL, HOSTS, TEMPLATE, ResearchWeb

from ragcrawler.bootstrap.start_error import StartError
from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.postgres.session import PostgresSession
from ragcrawler.research.storage.database import SCHEMA, ResearchDatabase
from ragcrawler.research.templates import parse_template
from ragcrawler.run.removal import RemovalRequest, finish_removals, remove, researches

Crawl = Callable[..., Any]


class Services:
    """The made web and the model, in a thread of their own: the crawl has the event loop."""

    def __init__(self) -> None:
        self.web, self.model = WebServer(ResearchWeb(pages=48, rows=5, seed=3)), ReadingModel(seed=3)
        self._loop, self._ready, self._end = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),))
        self._thread.start()
        self._ready.wait(10)

    async def _serve(self) -> None:
        await self.web.start()
        await self.model.start()
        self._ready.set()
        await self._end.wait()
        self.web.close()
        self.model.close()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
        self._loop.close()


@pytest.fixture
def services() -> Iterator[Services]:
    served = Services()
    yield served
    served.close()


@pytest.fixture
def research(services: Services, crawl_with: Crawl, postgres_address: PostgresAddress) -> Crawl:
    """Research with the template of the made web."""
    with PostgresSession(postgres_address, schema=SCHEMA) as session:
        ResearchDatabase(session).put_template(parse_template(json.dumps(TEMPLATE)))

    def run(**keywords: Any) -> Any:
        given = {
            "goal": GOAL,
            "template": "turbines",
            "urls": services.web.url(services.web.web.start),
            "domains": ",".join(f"{address(host)}:{services.web.port}" for host in range(HOSTS)),
            "depth": "8",
            "POSTGRES_DSN": postgres_address.dsn,
            "RETRY_ENABLED": True,  # one host of the web is busy at first
            "LLM_MODEL": "a-model",
            "LLM_BASE_URL": services.model.url,
            "LLM_API_KEY": "none",
        }
        return crawl_with("research", **(given | keywords))

    return run


def report_of(output: Path) -> dict[str, Any]:
    (path,) = (output / "research").glob("*/report.json")
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def test_a_research_reads_what_it_needs_cites_it_and_pays_once(services: Services, research: Crawl) -> None:
    first = research()
    report = report_of(first.output)
    found = {row["name"]["values"][0]["value"] for row in report["rows"]}
    assert found
    assert found <= {name for company in services.web.web.companies for name in company.variants}
    assert {fact["url"] for fact in report["facts"].values()} <= set(services.web.fetched)
    assert all(set(each["facts"]) <= set(report["facts"]) for each in report["sentences"])
    assert report["sentences"]
    assert (report["ended"], first.report["exit_code"]) == ("queue_empty", 0)
    assert first.stats["ragcrawler/research/pages"] == report["pages"] == len(first.documents)
    calls, fetched = len(services.model.log), len(services.web.fetched)
    research()
    assert (len(services.model.log), len(services.web.fetched)) == (calls, fetched)
    assert report_of(first.output)["rows"] == report["rows"]


def test_a_bound_of_pages_holds_and_a_research_goes_on_behind_it(services: Services, research: Crawl) -> None:
    first = research(budget_pages="3")
    assert report_of(first.output)["pages"] == 3
    assert report_of(first.output)["ended"] == "page_budget"
    research()
    assert report_of(first.output)["ended"] == "queue_empty"
    assert len(services.web.fetched) == len(set(services.web.fetched))


def urls_of(report: dict[str, Any]) -> set[str]:
    return {fact["url"] for fact in report["facts"].values()}


STILL_THERE = (
    "SELECT count(*) FROM facts WHERE url = :url",
    "SELECT count(*) FROM pages WHERE url = :url OR parent_url = :url",
    "SELECT count(*) FROM tasks WHERE url = :url OR parent_url = :url",
    "SELECT count(*) FROM questions WHERE source_url = :url",
    "SELECT count(*) FROM snapshots WHERE page_hash NOT IN (SELECT page_hash FROM pages) OR :url = ''",
)


def full_disk(*_: Any) -> None:
    raise OSError(errno.ENOSPC, "the disk is full")


def test_a_page_that_is_taken_out_everywhere_leaves_the_research_and_its_reports(
    services: Services,
    research: Crawl,
    settings: dict[str, Any],
    postgres_address: PostgresAddress,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    output = research().output
    before, (folder,) = report_of(output), (output / "research").iterdir()
    url = next(fact["url"] for fact in before["facts"].values())
    given, name = settings | {"POSTGRES_DSN": postgres_address.dsn}, f"facts of research {folder.name}"
    named = remove(given, RemovalRequest((url,), keeps_out=True))
    assert named.elsewhere[name] > 0
    assert report_of(output) == before
    with monkeypatch.context() as patch:
        patch.setattr(researches, "write_reports", full_disk)
        with pytest.raises(StartError, match="disk is full"):
            remove(given, RemovalRequest((url,), everywhere=True))
    removed = finish_removals(given)
    assert removed.counts[name] == named.elsewhere[name]
    after = report_of(output)
    assert urls_of(after) == urls_of(before) - {url}
    assert after["pages"] == before["pages"] - 1
    kept = [each for each in before["sentences"] if set(each["facts"]) <= set(after["facts"])]
    assert after["sentences"] == kept != []
    assert not [path for path in folder.iterdir() if url.encode() in path.read_bytes()]
    with PostgresSession(postgres_address, schema=SCHEMA) as session:
        for query in STILL_THERE:
            assert session.rows(query, url=url) == [(0,)], query
    fetched = services.web.fetched.count(url)
    research()
    assert services.web.fetched.count(url) == fetched
    assert url not in urls_of(report_of(output))


def test_where_nothing_is_found_no_sentence_is_written(services: Services, research: Crawl) -> None:
    dull = services.web.web.other[0]
    dull.links.clear()
    run = research(urls=services.web.url(dull))
    report = report_of(run.output)
    assert (report["rows"], report["sentences"], report["pages"]) == ([], [], 1)
    (markdown,) = (run.output / "research").glob("*/report.md")
    assert "No evidence found." in markdown.read_text(encoding="utf-8")


def test_a_research_that_cannot_begin_says_why_and_fails(services: Services, research: Crawl) -> None:
    run = research(template="nowhere")
    assert (run.report["exit_code"], services.web.fetched) == (1, [])
    assert "there is no template 'nowhere'" in run.report["refusal"]


class AnyQuery(dict[str, Any]):
    """A SearXNG that answers each query alike."""

    def __init__(self, url: str) -> None:
        found = [{"url": url, "title": "A page", "content": ""}]
        reply = {"results": found, "unresponsive_engines": [["bing", "timeout"]]}
        self._answer = (200, {"Content-Type": "application/json"}, json.dumps(reply).encode())

    def get(self, _path: str, _default: Any = None) -> Any:
        return self._answer


def test_questions_are_asked_of_a_search_engine(services: Services, research: Crawl, other_site: Any) -> None:
    dull = services.web.web.other[0]
    dull.links.clear()
    other_site.answers = AnyQuery(services.web.url(services.web.web.start))
    run = research(
        urls=services.web.url(dull),
        budget_pages="2",
        search="searxng",
        SEARXNG_URL=other_site.url,
        SEARCH_DELAY_SECONDS=0,
    )
    report = report_of(run.output)
    assert report["pages"] == 2
    asked = [parse_qs(urlsplit(path).query)["q"][0] for path in other_site.requests]
    assert asked == [question["text"] for question in report["questions"]]
    assert asked
    assert run.stats["ragcrawler/search/unresponsive/searxng.bing/timeout"] == len(asked)
    (live,) = (run.output / "research").glob("*/live.html")
    assert "Ended: page_budget." in live.read_text(encoding="utf-8")
