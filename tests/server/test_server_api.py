"""The API over a real socket: what it answers, and what it refuses."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from ragcrawler.bootstrap.catalogue_place import catalogue_place
from ragcrawler.catalogue import ChunkRecord
from ragcrawler.config.configuration import Configuration
from ragcrawler.server.api.endpoints import ENDPOINTS
from tests.server.conftest import RunningServer
from tests.server.library import chunk_id, fill, settings

UNKNOWN = "00000000-0000-0000-0000-00000000abcd"


def test_a_search_gives_ranked_hits_with_their_links(client: httpx.Client) -> None:
    answer = client.get("/api/search", params={"q": "rotate the logs", "limit": 2}).json()
    assert [hit["rank"] for hit in answer["hits"]] == [1, 2]
    best = answer["hits"][0]
    assert best["link"] == "https://docs.example/guide#logs"
    assert best["section_path"] == ["Guide", "Logs"]
    assert best["chunk"]["id"] in best["hit_ids"]
    assert best["score"] >= answer["hits"][1]["score"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"filter": "chunk_type=code"}, ["code"]),
        ({"filter": ["chunk_type=code", "position>=3"]}, []),
        ({"site": "docs.example", "limit": 50}, ["text", "text", "code", "text"]),
        ({"site": "evil.example:8080"}, ["text"]),
        ({"mode": "bm25", "per_document": 1, "filter": "document_id=guide"}, ["text"]),
        ({"mode": "dense", "threshold": 1.01}, []),
        ({"offset": 1, "limit": 1, "mode": "bm25", "filter": "document_id=guide"}, []),
        ({"weights": "bm25=1", "fusion": "rrf", "limit": 1}, ["text"]),
        ({"diversity": 0.5, "limit": 1, "rerank": "none"}, ["text"]),
    ],
)
def test_the_options_of_the_command_work(
    client: httpx.Client, options: dict[str, str], expected: list[str]
) -> None:
    answer = client.get("/api/search", params={"q": "rotate the logs", **options})
    kinds = [hit["chunk"]["chunk_type"] for hit in answer.json()["hits"]]
    assert sorted(kinds) == sorted(expected)


def test_hits_are_joined_with_their_neighbours_within_a_budget(client: httpx.Client) -> None:
    options = {"q": "rotate the logs", "limit": 1, "context": 1, "filter": "document_id=guide"}
    (hit,) = client.get("/api/search", params=options).json()["hits"]
    assert len(hit["chunk_ids"]) == 3
    del options["context"]
    for given, joined in (({}, 1), ({"budget": 100}, 3), ({"budget": 100, "context": 0}, 1)):
        (hit,) = client.get("/api/search", params=options | given).json()["hits"]
        assert len(hit["chunk_ids"]) == joined
    options["budget"] = 5
    (hit,) = client.get("/api/search", params=options).json()["hits"]
    assert hit["words"] <= 5


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/search", 422),
        ("/api/search?q=", 422),
        ("/api/search?q=%20", 422),
        ("/api/search?q=" + "a" * 2001, 422),
        ("/api/search?q=a&limit=0", 422),
        ("/api/search?q=a&limit=51", 422),
        ("/api/search?q=a&limit=1&limit=2", 422),
        ("/api/search?q=a&unknown=1", 422),
        ("/api/search?q=a&mode=magic", 422),
        ("/api/search?q=a&weights=magic", 422),
        ("/api/search?q=a&filter=nonsense", 422),
        ("/api/search?q=a&threshold=nan", 422),
        ("/api/search?q=a&mode=bm25&diversity=0.5", 422),
        ("/api/search?q=a&rerank=llm", 422),
        ("/api/search?q=a&expand=1", 422),
        ("/api/documents/none", 404),
        ("/api/documents/none/chunks", 404),
        (f"/api/chunks/{UNKNOWN}", 404),
        ("/api/chunks/none", 404),
        ("/api/runs/none", 404),
        ("/api/runs/%2e%2e%2f%2e%2e", 404),
        ("/nowhere", 404),
    ],
)
def test_what_is_wrong_is_refused_with_its_reason(client: httpx.Client, path: str, status: int) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "q is missing."),
        ("q=", "q is empty."),
        ("q=%20", "q is empty."),
        (f"q={'a' * 2001}", "q has over 2,000 characters."),
        ("q=a&limit=0&offset=x", "limit is less than 1; offset is no whole number."),
        ("q=a&limit=51", "limit is over 50."),
        ("q=a&threshold=nan", "threshold is no number."),
        ("q=a&mood=1", "mood is no option here."),
        ("q=a&mode=magic", "mode should be 'hybrid', 'dense', 'sparse' or 'bm25'."),
        ("q=a&weights=magic", "weights is 'magic', but should be weights of"),
    ],
)
def test_a_refusal_is_told_in_plain_words(client: httpx.Client, query: str, message: str) -> None:
    assert client.get(f"/api/search?{query}").json()["error"].startswith(message)


def test_documents_are_listed_in_pages(client: httpx.Client) -> None:
    first = client.get("/api/documents?limit=1").json()
    second = client.get("/api/documents", params={"limit": 1, "after": first["next"]}).json()
    listed = [*first["documents"], *second["documents"]]
    assert [each["document_id"] for each in listed] == ["guide", "hostile"]
    assert (listed[0]["title"], listed[0]["chunks"], second["next"]) == ("Handbook", 4, None)
    assert client.get("/api/documents/guide").json() == listed[0]


def test_a_document_is_read_in_stretches(client: httpx.Client) -> None:
    first = client.get("/api/documents/guide/chunks?limit=3").json()
    rest = client.get("/api/documents/guide/chunks", params={"start": first["next"]}).json()
    assert [each["position"] for each in first["chunks"] + rest["chunks"]] == [0, 1, 2, 3]
    assert (first["total"], rest["next"]) == (4, None)
    assert client.get("/api/documents/guide/chunks?start=100").json()["chunks"] == []


def test_a_chunk_comes_with_its_neighbours(client: httpx.Client) -> None:
    found = client.get(f"/api/chunks/{chunk_id(2)}?context=2").json()
    assert [each["id"] for each in found["before"]] == [chunk_id(1)]
    assert [each["id"] for each in found["after"]] == [chunk_id(3), chunk_id(4)]
    assert found["text"].startswith("Install the package")


def test_sources_and_numbers_say_what_is_there(client: httpx.Client) -> None:
    sites = client.get("/api/sources").json()["sites"]
    assert [(each["site"], each["documents"], each["chunks"]) for each in sites] == [
        ("docs.example", 1, 4),
        ("evil.example:8080", 1, 1),
    ]
    numbers = client.get("/api/stats").json()
    assert (numbers["chunks"], numbers["documents"], numbers["language_model"]) == (5, 2, False)
    assert client.get("/health").json()["status"] == "ok"


def test_all_numbers_leave_out_what_an_interrupted_crawl_did_not_store(
    tmp_path: Path, serve_with: Callable[..., RunningServer]
) -> None:
    chunks = fill(tmp_path)
    with catalogue_place(Configuration.from_settings(settings(tmp_path))).open() as catalogue:
        (guide, other) = catalogue.documents()
        lost = ChunkRecord("lost", "e", "p")
        part = tuple(each._replace(checksum="read back") for each in guide.chunks)
        catalogue.put([replace(guide, chunks=(*part, lost), is_unfinished=True)])
        catalogue.mark_writing([replace(other, document_id="begun", site="begun.example", chunks=())])
    with serve_with(tmp_path).client() as client:
        numbers, sites = client.get("/api/stats").json(), client.get("/api/sources").json()["sites"]
        listed = client.get("/api/documents").json()["documents"]
    assert numbers["chunks"] == sum(each["chunks"] for each in sites) == len(chunks)
    assert sum(each["chunks"] for each in listed) == len(chunks)
    assert numbers["documents"] == sum(each["documents"] for each in sites) == len(listed) == 2


def test_a_run_gives_its_report(client: httpx.Client) -> None:
    (run,) = client.get("/api/runs").json()["runs"]
    report = client.get(f"/api/runs/{run['name']}").json()
    assert report["report"] == {"pages": {"fetched": 2}}
    assert not run["has_page"]


def test_the_metrics_name_routes_and_never_questions(client: httpx.Client) -> None:
    client.get("/api/search?q=a-secret-question")
    client.get("/nowhere/a-secret-path")
    text = client.get("/metrics").text
    assert 'ragcrawler_requests_total{method="GET",route="/api/search",status="200"}' in text
    assert "ragcrawler_chunks 5.0" in text
    assert "secret" not in text


def test_a_collection_that_is_not_there_yet_gives_no_hits(
    serve_with: Callable[..., RunningServer], tmp_path: Path
) -> None:
    with serve_with(tmp_path).client() as client:
        assert client.get("/api/search?q=anything").json()["is_empty"]
        assert client.get("/health").json()["status"] == "empty"
        assert client.get("/api/stats").json()["chunks"] == 0
        assert client.get("/api/sources").json() == {"sites": []}
        assert client.get("/api/documents/none/chunks").status_code == 404
        assert client.get(f"/api/chunks/{UNKNOWN}").status_code == 404


@pytest.mark.parametrize("body", [{"context": False}, {"limit": "8"}, {"filter": "a=b"}, {"q": "logs"}, []])
def test_a_body_is_held_to_its_types(client: httpx.Client, body: object) -> None:
    sent = {"question": "logs", **body} if isinstance(body, dict) else body
    assert client.post("/api/ask", json=sent).status_code == 422


def test_what_costs_or_changes_something_takes_another_method_than_get() -> None:
    others = [each.name for each in ENDPOINTS if each.method != "GET"]
    assert others == ["ask", "remove_pages", "allow_pages"]
    assert [each.name for each in ENDPOINTS if each.asks_model] == ["ask"]
