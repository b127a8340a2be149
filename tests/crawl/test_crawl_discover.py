"""`scrapy crawl discover`: from a query to a list of URLs, or to a collection that answers."""

import csv
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.bootstrap import open_retriever
from ragcrawler.spiders.arguments import ArgumentError, read_urls
from ragcrawler.spiders.discover import DiscoverSpider
from ragcrawler.spiders.discover_arguments import DiscoverArguments


@pytest.fixture
def searxng(other_site: Any) -> Any:
    """Another loopback site; `finds` lets it answer one page of one query."""

    def finds(*urls: str, query: str = "pump", page: int = 1, unresponsive: tuple[Any, ...] = ()) -> None:
        results = [{"url": url, "title": f"Title of {url}", "content": "A snippet"} for url in urls]
        body = json.dumps({"results": results, "unresponsive_engines": unresponsive}).encode()
        path = f"/search?q={query}&format=json&pageno={page}&language=all"
        other_site.answers[path] = (200, {"Content-Type": "application/json"}, body)

    other_site.finds = finds
    return other_site


@pytest.fixture
def discover(crawl_with: Callable[..., Any], searxng: Any) -> Callable[..., Any]:
    return partial(crawl_with, "discover", SEARXNG_URL=searxng.url, SEARCH_DELAY_SECONDS=0)


def found(run: Any) -> list[dict[str, Any]]:
    (path,) = sorted((run.output / "runs").glob("*-discover-*/found.jsonl"))[-1:]
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_query_becomes_a_crawled_collection_that_answers(
    site: Any, searxng: Any, discover: Callable[..., Any], settings: dict[str, Any]
) -> None:
    site.page(
        "/pump", "/valve", text="The pump is primed by filling its housing with water before the start."
    )
    site.page("/valve", "/deep", text="The valve is closed by hand when the wind is stronger than allowed.")
    site.page("/deep", text="Nobody asked for this page on gardens, which is two links away.")
    searxng.finds(
        f"{site.url}/pump?utm_source=x", f"{site.url}/tag/pumps", "http://10.0.0.1/secret", "ftp://a.org/"
    )
    run = discover(query="pump", follow="1", depth="1", domains=site.url)
    assert run.report["exit_code"] == 0
    assert {document["url"] for document in run.documents} == {f"{site.url}/pump", f"{site.url}/valve"}
    (only,) = found(run)
    assert (only["url"], only["rank"], only["engine"], only["query"]) == (
        f"{site.url}/pump",
        1,
        "searxng",
        "pump",
    )
    assert only["score"] == 0.016393
    left_out = {name.rpartition("/")[2]: count for name, count in run.stats.items() if "/left_out/" in name}
    assert left_out == {"junk": 1, "private_address": 1, "not_http": 1}
    keys = ("OUTPUT_DIR", "QDRANT_URL", "EMBEDDING_MODEL", "SPARSE_EMBEDDING_MODEL")
    with open_retriever(**{key: settings[key] for key in keys}) as retriever:
        chunk, _ = retriever.search("How is the pump primed?", 1)[0]
    assert chunk.source_url == f"{site.url}/pump"
    again = discover(query="pump", follow="1", depth="1", domains=site.url)
    assert again.report["exit_code"] == 0
    assert again.stats["ragcrawler/search/left_out/known"] == 1
    assert site.requests.count("/pump") == 1


def test_a_list_goes_to_a_feed_and_back_into_a_crawl_without_a_collection_before(
    site: Any, searxng: Any, discover: Callable[..., Any], crawl: Callable[..., Any], tmp_path: Path
) -> None:
    site.page("/one", text="Page one is on pumps.")
    site.page("/two", text="Page two is on valves, at some length.")
    searxng.finds(f"{site.url}/one", f"{site.url}/two", page=1)
    searxng.finds(f"{site.url}/three", page=2)
    searxng.finds(page=3)
    feed = tmp_path / "urls.csv"
    run = discover(
        query="pump", pages="9", domains=site.url, per_domain="2", FEEDS={str(feed): {"format": "csv"}}
    )
    assert run.report["exit_code"] == 0
    assert run.stats["ragcrawler/search/requests"] == 3
    assert run.stats["ragcrawler/search/left_out/per_domain"] == 1
    assert not (run.output / "qdrant").exists()
    rows = list(csv.DictReader(feed.read_text(encoding="utf-8").splitlines()))
    assert [row["url"] for row in rows] == [f"{site.url}/one", f"{site.url}/two"]
    assert set(rows[0]) >= {"url", "rank", "title", "snippet", "engine", "query", "score"}
    crawled = crawl(urls=f"@{feed}", max_depth="0")
    assert {document["url"] for document in crawled.documents} == {f"{site.url}/one", f"{site.url}/two"}


def test_no_engine_that_answers_is_exit_3_and_is_left_alone_in_the_next_run(
    searxng: Any, discover: Callable[..., Any]
) -> None:
    for status in (429, 200):
        searxng.answers["/search?q=pump&format=json&pageno=1&language=all"] = (
            status,
            {"Retry-After": "60"},
            b"{}",
        )
        run = discover(query="pump")
        assert run.report["exit_code"] == 3
    assert len(searxng.requests) == 1
    assert run.stats["ragcrawler/search/states/searxng/suspended"] == 1


def test_some_engines_that_do_not_answer_are_exit_4_and_named_in_the_report(
    site: Any, searxng: Any, discover: Callable[..., Any]
) -> None:
    searxng.finds("https://a.example/", unresponsive=(["google", "CAPTCHA"],))
    site.answers["/res/v1/web/search?q=pump&count=20&offset=0"] = (
        401,
        {},
        b'{"error": {"detail": "Canary7Key"}}',
    )
    run = discover(
        query="pump",
        engines="searxng,brave_api",
        BRAVE_SEARCH_API_KEY="Canary7Key",
        SEARCH_ADDRESSES=json.dumps({"brave_api": site.url}),
    )
    assert run.report["exit_code"] == 4
    assert [row["url"] for row in found(run)] == ["https://a.example/"]
    (folder,) = (run.output / "runs").iterdir()
    report = (folder / "report.md").read_text(encoding="utf-8")
    for row in ("searxng: ok | 1", "brave_api: failed | 1", "behind searxng.google: captcha | 1"):
        assert row in report
    assert all("Canary7Key" not in path.read_text(encoding="utf-8") for path in folder.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "-a query="),
        ({"query": "a", "since": "decade"}, "day, week, month, year"),
        ({"query": "a", "pages": "0"}, "-a pages=0"),
        ({"query": "a", "per_domain": "-1"}, "-a per_domain=-1"),
        ({"query": "a" * 501}, "at most 500 characters"),
        ({"queries": "list"}, "@FILE"),
        ({"queries": "@/nowhere"}, "cannot be read"),
        ({"query": "a", "domain": "b"}, "unknown"),
    ],
)
def test_wrong_arguments_are_refused_with_what_would_be_right(
    arguments: dict[str, str], message: str
) -> None:
    with pytest.raises(ArgumentError, match=message):
        DiscoverArguments.parse(arguments)


@pytest.mark.parametrize(
    ("engines", "settings_given", "message"),
    [
        ("", {}, "no search engine is set up"),
        ("altavista", {}, "there is no 'altavista'"),
        ("searxng", {}, "searxng needs SEARXNG_URL"),
        ("google_api", {"GOOGLE_SEARCH_API_KEY": "k"}, "GOOGLE_SEARCH_ENGINE_ID"),
        ("", {"SEARXNG_URL": "http://user:pw@host/"}, "SEARXNG_URL"),
        ("", {"SEARCH_ADDRESSES": "[1]"}, "SEARCH_ADDRESSES"),
        ("", {"SEARCH_ADDRESSES": '{"altavista": "https://a.example"}'}, "SEARCH_ADDRESSES"),
    ],
)
def test_engines_that_are_not_set_up_are_refused_before_anything_is_asked(
    settings: dict[str, Any], engines: str, settings_given: dict[str, str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        DiscoverSpider.check_arguments({"query": "a", "engines": engines}, settings | settings_given)


@pytest.mark.parametrize(
    ("name", "text", "urls"),
    [
        ("a.csv", '\ufefftitle,url\n"a, b",https://a.example/\n,\n', ["https://a.example/"]),
        ("a.jsonl", '{"url": "https://a.example/"}\n\n', ["https://a.example/"]),
        ("a.txt", "# those\nhttps://a.example/\n", ["https://a.example/"]),
    ],
)
def test_lists_of_urls_are_read_in_three_forms(tmp_path: Path, name: str, text: str, urls: list[str]) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert read_urls(path) == urls


@pytest.mark.parametrize(("name", "text"), [("a.csv", "a,b\n"), ("a.jsonl", "[]"), ("a.jl", '{"url": 1}')])
def test_a_list_without_urls_is_refused(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="url"):
        read_urls(path)
