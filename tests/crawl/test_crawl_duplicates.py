"""One text at several addresses is stored once, with all of them."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.stores import StoreConfig, open_store

Crawl = Callable[..., Any]

_WORDS = ("water", "soil", "light", "seed", "root", "leaf", "bloom", "frost", "shade", "pump", "hose", "bed")

TABLE = "<table><tr><th>Valve</th><th>State</th></tr><tr><td>North</td><td>{}</td></tr></table>"


def prose(seed: int, words: int = 400) -> str:
    chosen = random.Random(seed)
    text = " ".join(chosen.choice(_WORDS) for _ in range(words))
    return ". ".join(text[start : start + 120] for start in range(0, len(text), 120))


@pytest.fixture
def put(site: Any) -> Callable[..., None]:
    def page(path: str, text: str, *links: str, extra: str = "") -> None:
        anchors = "".join(f'<a href="{link}">{link}</a>' for link in links)
        body = f"<nav>{anchors}</nav><main><h1>Garden</h1>{extra}<p>{text}</p></main>"
        site.answers[path] = (200, {}, f"<html><body>{body}</body></html>".encode())

    return page


@pytest.fixture
def aliases(settings: dict[str, Any], site: Any) -> Callable[[], dict[str, set[str]]]:
    """Stored paths, with the aliases that all of their chunks have."""

    def read() -> dict[str, set[str]]:
        config = StoreConfig(folder=Path(settings["OUTPUT_DIR"]) / "qdrant", collection="ragcrawler")
        found: dict[str, set[str]] = {}
        with open_store(config) as store:
            for chunk in store.scroll():
                names = {alias.removeprefix(site.url) for alias in chunk.aliases}
                path = chunk.source_url.removeprefix(site.url)
                assert found.setdefault(path, names) == names
        return found

    return read


def test_an_exact_copy_becomes_an_alias(site: Any, put: Any, crawl: Crawl, aliases: Any) -> None:
    put("/", "Start here.", "/one", "/two")
    put("/one", prose(1))
    put("/two", prose(1))
    run = crawl(domains=site.url, CONCURRENT_REQUESTS=1)
    assert run.skipped == {"duplicate_content": 1}
    assert aliases() == {"/": set(), "/one": {"/two"}}
    assert run.report["exit_code"] == 0
    activity = run.report["activity"]
    assert activity["statuses"] == {"200": 3, "404": 4}
    assert {name: sum(counts) for name, counts in activity["series"]["counts"].items()} == {
        "pages": 2,
        "chunks": run.report["chunks"]["points"],
        "skipped": 1,
        "failed": 0,
        "unchanged": 0,
    }
    (double,) = activity["listed"]["duplicates"]
    assert double["note"] == f"has the text of {site.url}/one"
    assert len(activity["slowest"]) == 3


def test_a_near_copy_becomes_an_alias(site: Any, put: Any, crawl: Crawl, aliases: Any) -> None:
    put("/", "Start here.", "/one", "/two")
    put("/one", prose(1))
    put("/two", prose(1) + " Print this page")
    run = crawl(domains=site.url, CONCURRENT_REQUESTS=1)
    assert run.skipped == {"near_duplicate": 1}
    assert aliases() == {"/": set(), "/one": {"/two"}}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        pytest.param("<p>Needs version 3.1 of it.</p>", "<p>Needs version 3.2 of it.</p>", id="number"),
        pytest.param("<h2>Spring</h2>", "<h2>Autumn</h2>", id="heading"),
        pytest.param("<pre>water on</pre>", "<pre>water off</pre>", id="code"),
        pytest.param("<p>Call <code>open</code>.</p>", "<p>Call <code>close</code>.</p>", id="code-span"),
        pytest.param(
            TABLE.format("open"),
            TABLE.format("shut"),
            id="table",
        ),
    ],
)
def test_pages_that_differ_in_what_names_things_are_both_kept(
    site: Any, put: Any, crawl: Crawl, one: str, two: str
) -> None:
    put("/", "Start here.", "/one", "/two")
    put("/one", prose(1), extra=one)
    put("/two", prose(1), extra=two)
    assert crawl(domains=site.url).skipped == {}


def test_short_pages_are_only_compared_exactly(site: Any, put: Any, crawl: Crawl) -> None:
    put("/", "Start here.", "/one", "/two")
    put("/one", prose(1, words=60))
    put("/two", prose(1, words=60) + " too")
    assert crawl(domains=site.url).skipped == {}


def test_near_copies_are_kept_where_that_is_wanted(site: Any, put: Any, crawl: Crawl) -> None:
    put("/", "Start here.", "/one", "/two")
    put("/one", prose(1))
    put("/two", prose(1) + " Print this page")
    assert crawl(domains=site.url, NEAR_DUPLICATE_SIMILARITY=0).skipped == {}


@pytest.mark.parametrize("ending", ["", " Print this page"], ids=["exact", "near"])
def test_the_document_that_is_stored_stays_whichever_comes_first_later(
    site: Any, put: Any, crawl: Crawl, aliases: Any, ending: str
) -> None:
    put("/", "Start here.", "/one")
    put("/one", prose(1))
    crawl(domains=site.url)
    put("/", "Start there.", "/two", "/one")
    put("/two", prose(1) + ending)
    for _ in range(2):
        run = crawl(domains=site.url, CONCURRENT_REQUESTS=1)
        assert run.skipped["near_duplicate" if ending else "duplicate_content"] == 1
        assert aliases() == {"/": set(), "/one": {"/two"}}


def test_a_copy_takes_the_place_of_a_page_that_is_gone(
    site: Any, put: Any, crawl: Crawl, aliases: Any
) -> None:
    put("/", "Start here.", "/one")
    put("/one", prose(1))
    crawl(domains=site.url)
    put("/", "Start there.", "/one", "/two")
    del site.answers["/one"]
    put("/two", prose(1))
    crawl(domains=site.url, CONCURRENT_REQUESTS=1, GONE_AFTER=1, DELETE_BRAKE=100)
    assert aliases() == {"/": set(), "/two": set()}


def test_an_alias_that_gets_a_text_of_its_own_is_none_any_more(
    site: Any, put: Any, crawl: Crawl, aliases: Any
) -> None:
    put("/", "Start here.", "/one", "/two")
    put("/one", prose(1))
    put("/two", prose(1))
    crawl(domains=site.url, CONCURRENT_REQUESTS=1)
    put("/two", prose(2))
    run = crawl(domains=site.url)
    assert aliases() == {"/": set(), "/one": set(), "/two": set()}
    assert run.stats["ragcrawler/duplicates/documents"] == 1


def test_a_document_that_changes_keeps_its_aliases(site: Any, put: Any, crawl: Crawl, aliases: Any) -> None:
    put("/", "Start here.", "/one", "/two")
    put("/one", prose(1))
    put("/two", prose(1))
    crawl(domains=site.url, CONCURRENT_REQUESTS=1)
    put("/one", prose(3))
    put("/two", prose(3))
    crawl(domains=site.url, CONCURRENT_REQUESTS=1)
    assert aliases() == {"/": set(), "/one": {"/two"}}


def test_of_two_documents_that_are_stored_the_older_one_stays(site: Any, put: Any, crawl: Crawl) -> None:
    put("/", "Start here.", "/one")
    put("/one", prose(1))
    crawl(domains=site.url, NEAR_DUPLICATE_SIMILARITY=1)
    put("/", "Start there.", "/one", "/two")
    put("/two", prose(1) + " Print this page")
    assert "near_duplicate" not in crawl(domains=site.url, NEAR_DUPLICATE_SIMILARITY=1).skipped
    put("/one", prose(1) + " Come again")
    put("/two", prose(1) + " Come again and print this page")
    run = crawl(domains=site.url, CONCURRENT_REQUESTS=1)
    assert run.skipped == {"unchanged": 1, "near_duplicate": 1}
    assert {document["url"]: document["state"] for document in run.documents} == {
        f"{site.url}/": "unchanged",
        f"{site.url}/one": "changed",
    }
