"""Pages are taken out through the API with a token, and by others while the server owns the collection."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.bootstrap.catalogue_place import catalogue_place
from ragcrawler.config.configuration import Configuration
from ragcrawler.run.removal import RemovalRequest, remove
from ragcrawler.stores import open_store
from ragcrawler.stores.owner.owned_store import OwnedStore
from tests.server.conftest import RunningServer
from tests.server.library import HANDBOOK, HOSTILE_URL, fill, settings

TOKEN = "canary-token-of-32-characters-xx"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
ROUTES = [("POST", "/api/remove"), ("GET", "/api/kept-out"), ("POST", "/api/allow")]


@pytest.fixture
def output(tmp_path: Path) -> Path:
    fill(tmp_path)
    return tmp_path


@pytest.fixture
def server(output: Path, serve_with: Callable[..., RunningServer]) -> RunningServer:
    return serve_with(output, SERVER_TOKEN=TOKEN)


def stored_urls(output: Path) -> list[str]:
    with catalogue_place(Configuration.from_settings(settings(output))).open() as catalogue:
        return sorted(url for _, url in catalogue.urls())


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_nobody_takes_anything_out_of_a_server_without_a_token(
    output: Path, serve_with: Callable[..., RunningServer], method: str, path: str
) -> None:
    with serve_with(output).client() as client:
        refused = client.request(method, path, json={"targets": [HANDBOOK]}, headers=BEARER)
    assert refused.status_code == 403
    assert "set SERVER_TOKEN" in refused.json()["error"]
    assert stored_urls(output) == [HOSTILE_URL, HANDBOOK]


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_the_token_is_asked_for(server: RunningServer, method: str, path: str) -> None:
    with server.client() as client:
        assert client.request(method, path, json={"targets": [HANDBOOK]}).status_code == 401


def test_a_page_goes_stays_out_and_is_let_in_again(server: RunningServer, output: Path) -> None:
    with server.client(**BEARER) as client:

        def ask(path: str, **form: Any) -> Any:
            answer = client.post(f"/api/{path}", json=form)
            assert answer.status_code == 200, answer.text
            return answer.json()

        def hits() -> set[str]:
            found = client.get("/api/search", params={"q": "rotate the logs", "limit": 50}).json()["hits"]
            return {hit["source_url"] for hit in found}

        assert hits() == {HANDBOOK, HOSTILE_URL}
        looked = ask("remove", targets=[HANDBOOK], keep_out=True, dry_run=True)
        assert (looked["is_dry"], looked["urls"], looked["counts"]["chunks"]) == (True, [HANDBOOK], 4)
        assert hits() == {HANDBOOK, HOSTILE_URL}
        removed = ask("remove", documents=["guide"], keep_out=True)
        assert removed == looked | {"is_dry": False, "kept_out": removed["kept_out"]}
        assert hits() == {HOSTILE_URL}
        assert stored_urls(output) == [HOSTILE_URL]
        assert client.get("/api/stats").json()["documents"] == 1
        (entry,) = client.get("/api/kept-out").json()["entries"]
        assert (entry["pattern"], entry["kind"]) == (HANDBOOK, "page")
        assert ask("allow", targets=[HANDBOOK]) == {"allowed": 1}
        assert client.get("/api/kept-out").json() == {"entries": []}


@pytest.mark.parametrize(
    ("path", "form", "message"),
    [
        ("remove", {}, "Name what is to be removed"),
        ("remove", {"targets": ["no domain"]}, "neither the URL of a page"),
        ("remove", {"documents": ["unknown"]}, "there is no document"),
        ("remove", {"targets": "a.org"}, "targets: "),
        ("allow", {"targets": ["a.org"]}, "has no entry on the list"),
        ("allow", {"targets": []}, "targets: "),
    ],
)
def test_what_cannot_be_meant_is_refused(
    server: RunningServer, path: str, form: dict[str, Any], message: str
) -> None:
    with server.client(**BEARER) as client:
        refused = client.post(f"/api/{path}", json=form)
    assert refused.status_code == 422
    assert message in refused.json()["error"]


def test_another_process_removes_through_the_server(server: RunningServer, output: Path) -> None:
    with server.client(**BEARER) as client:
        removed = remove(settings(output), RemovalRequest((HANDBOOK,)))
        assert removed.counts == {"chunks": 4, "documents": 1}
        assert client.get("/api/stats").json()["chunks"] == 1
        assert b"logrotate" not in b"".join(
            path.read_bytes() for path in (output / "qdrant").rglob("*") if path.is_file()
        )


def test_nothing_is_removed_while_a_crawl_writes(server: RunningServer, output: Path) -> None:
    config = Configuration.from_settings(settings(output)).store
    with open_store(replace(config, claims=True)) as crawl, server.client(**BEARER) as client:
        assert isinstance(crawl, OwnedStore)
        refused = client.post("/api/remove", json={"targets": [HANDBOOK]})
        assert refused.status_code == 503
        assert "is written by another process" in refused.json()["error"]
        assert client.post("/api/remove", json={"targets": [HANDBOOK], "dry_run": True}).status_code == 200
    assert stored_urls(output) == [HOSTILE_URL, HANDBOOK]
