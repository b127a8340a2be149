"""`scrapy doctor`: each probe against what it may find."""

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.config.defaults import project_settings
from ragcrawler.maintenance.doctor import PROBES, Finding, Mask, run_probes
from ragcrawler.maintenance.doctor.contradictions import contradictions

Settings = Mapping[str, object]
Answers = dict[str, tuple[int, Any]]
SECONDS = 5.0
QUIET = {"QDRANT_URL": "", "LLM_MODEL": "", "HF_ENDPOINT": "", "HF_HUB_OFFLINE": "0", "JAVASCRIPT": "never"}


@pytest.fixture
def given(tmp_path: Path) -> Callable[..., Settings]:
    """Settings of a machine with hashing models, with some of them changed."""

    def settings(**changes: object) -> Settings:
        own = {"EMBEDDING_MODEL": "hashing/384", "SPARSE_EMBEDDING_MODEL": "hashing/sparse"}
        return project_settings(**{"OUTPUT_DIR": str(tmp_path / "out"), **QUIET, **own, **changes})

    return settings


@pytest.fixture
def service() -> Iterator[Callable[[Answers], str]]:
    """A service on loopback that answers each path in JSON; others with 404."""
    running: list[ThreadingHTTPServer] = []

    def start(answers: Answers) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, body = answers.get(self.path, (404, {}))
                text = body if isinstance(body, str) else json.dumps(body)
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_: object) -> None:
                """Stay silent."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        running.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for each in running:
        each.shutdown()
        each.server_close()


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a service that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def refused() -> int:
    """A port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def find(name: str, settings: Settings, seconds: float = SECONDS) -> Finding:
    return PROBES[name](settings, seconds)


COLLECTIONS = {"result": {"collections": [{"name": "ragcrawler"}]}}


@pytest.mark.parametrize(
    ("answers", "state", "found"),
    [
        (
            {"/collections": (200, COLLECTIONS), "/": (200, {"version": "1.16.2"})},
            "ok",
            "1.16.2; ragcrawler is",
        ),
        ({"/collections": (200, COLLECTIONS), "/": (200, {"version": "1.9.0"})}, "failed", "version 1.9.0"),
        ({"/collections": (200, COLLECTIONS)}, "ok", "version unknown"),
        ({"/collections": (401, {})}, "failed", "refuses the key"),
        ({"/collections": (200, [1])}, "failed", "does not answer as Qdrant (HTTP 200)"),
        ({"/collections": (200, "<html>")}, "failed", "does not answer as Qdrant"),
        ({}, "failed", "does not answer as Qdrant (HTTP 404)"),
    ],
)
def test_a_qdrant_server_is_told_from_others(
    given: Any, service: Any, answers: Answers, state: str, found: str
) -> None:
    finding = find("Qdrant", given(QDRANT_URL=service(answers)))
    assert (finding.state, found in finding.found) == (state, True), finding


@pytest.mark.parametrize(
    ("status", "body", "state", "found"),
    [
        (400, {"error": "No query"}, "ok", "answers in JSON"),
        (403, "Forbidden", "failed", "refuses answers in JSON"),
        (200, "<html>", "failed", "does not answer as SearXNG (HTTP 200)"),
        (400, "no JSON", "failed", "(HTTP 400)"),
    ],
)
def test_searxng_is_asked_without_a_question(
    given: Any, service: Any, status: int, body: Any, state: str, found: str
) -> None:
    url = service({"/search?format=json": (status, body)})
    finding = find("SearXNG", given(SEARXNG_URL=url))
    assert (finding.state, found in finding.found) == (state, True), finding


@pytest.mark.parametrize(
    ("status", "body", "state", "found"),
    [
        (200, {"data": [{"id": "small"}]}, "ok", "small at"),
        (200, {"data": [{"id": "other"}]}, "failed", "has no small"),
        (401, {}, "failed", "refuses the key"),
        (404, {}, "warning", "lists no models (HTTP 404)"),
    ],
)
def test_a_language_model_is_looked_for_in_the_list_of_its_server(
    given: Any, service: Any, status: int, body: Any, state: str, found: str
) -> None:
    url = service({"/v1/models": (status, body)})
    finding = find("language model", given(LLM_MODEL="small", LLM_BASE_URL=f"{url}/v1", LLM_API_KEY="k"))
    assert (finding.state, found in finding.found) == (state, True), finding


@pytest.mark.parametrize(
    ("place", "state", "found"),
    [
        (Path("/var/cache"), "not used", "copies it to /var/cache, once"),
        (None, "warning", "no copy can be made"),
    ],
)
def test_whether_root_can_have_a_server_of_our_own(
    given: Any, monkeypatch: pytest.MonkeyPatch, place: Path | None, state: str, found: str
) -> None:
    services = "ragcrawler.maintenance.doctor.services"
    monkeypatch.setattr(f"{services}.is_root", lambda: True)
    monkeypatch.setattr(f"{services}.can_run", lambda programs: False)
    monkeypatch.setattr(f"{services}.place_of_copies", lambda: place)
    finding = find("PostgreSQL", given())
    assert (finding.state, found in finding.found) == (state, True), finding
    assert "as root a server of our own runs as user 65534" in finding.found
    assert ("POSTGRES_DSN" in finding.todo) == (state == "warning")


SERVICES = {
    "Qdrant": {"QDRANT_URL": "http://127.0.0.1:{}"},
    "SearXNG": {"SEARXNG_URL": "http://127.0.0.1:{}"},
    "language model": {"LLM_MODEL": "m", "LLM_BASE_URL": "http://127.0.0.1:{}/v1"},
    "Redis": {
        "REDIS_URL": "redis://:Secret77@127.0.0.1:{}/0",
        "QDRANT_URL": "http://127.0.0.1:1",
        "POSTGRES_DSN": "postgresql://a@127.0.0.1:1/b",
    },
    "PostgreSQL": {"POSTGRES_DSN": "postgresql://a:Secret77@127.0.0.1:{}/b"},
}


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_that_is_away_is_named_without_its_password(given: Any, name: str, refused: int) -> None:
    settings = given(**{key: value.format(refused) for key, value in SERVICES[name].items()})
    finding = find(name, settings)
    assert finding.state == "failed"
    assert str(refused) in finding.found
    assert finding.todo
    assert "Secret77" not in str(finding)


@pytest.mark.parametrize("name", ["Qdrant", "SearXNG", "language model", "Redis"])
def test_a_service_that_says_nothing_is_not_waited_for(given: Any, name: str, silent: int) -> None:
    settings = given(**{key: value.format(silent) for key, value in SERVICES[name].items()})
    assert find(name, settings, 0.05).state == "failed"


@pytest.mark.parametrize("name", [*SERVICES, "Tor", "browser", "docling"])
def test_what_no_setting_names_is_not_used(given: Any, name: str) -> None:
    assert find(name, given()).state == "not used"


@pytest.mark.parametrize(
    ("name", "changes", "state", "found"),
    [
        ("Python", {}, "ok", "ragcrawler"),
        ("disk", {}, "ok", "MiB free"),
        ("disk", {"DISK_RESERVE_MEBIBYTES": 10**9}, "failed", "stay free"),
        ("disk", {"OUTPUT_DIR": "/dev/null/out"}, "failed", "/dev/null cannot be written to"),
        ("browser", {"JAVASCRIPT": "auto", "CHROMIUM_PATH": "/nowhere"}, "failed", "CHROMIUM_PATH"),
        ("browser", {"JAVASCRIPT": "always", "CHROMIUM_PATH": "/bin/false"}, "failed", "does not start"),
        ("browser", {"JAVASCRIPT": "auto", "CHROMIUM_PATH": "/bin/true"}, "failed", "it is no Chromium"),
        ("browser", {"JAVASCRIPT": "auto", "CHROMIUM_PATH": "/bin/echo"}, "failed", "it is no Chromium"),
        ("docling", {"DOCLING_ARTIFACTS_PATH": "/nowhere"}, "failed", "/nowhere is no folder"),
        ("docling", {"DOCLING_ARTIFACTS_PATH": "/proc/self/fdinfo"}, "failed", "holds no weights"),
        ("docling", {"PDF_OCR": True}, "failed", "without weights"),
        ("Tor", {"PROXY": "tor"}, "failed", "Tor does not run"),
        ("dense model", {}, "ok", "hashing/384: program"),
        ("sparse model", {}, "ok", "hashing/sparse: program"),
        (
            "dense model",
            {"EMBEDDING_MODEL": "BAAI/bge-base-en-v1.5", "MODEL_CACHE_DIR": "/x"},
            "failed",
            "not asked",
        ),
        ("language model", {"LLM_MODEL": "nobody/knows"}, "failed", "nobody/knows"),
        ("server", {}, "ok", "for this machine alone"),
        ("server", {"SERVER_TOKEN": "t" * 20}, "ok", "can start"),
        ("settings", {"SERVER_TOKEN": "short"}, "failed", "SERVER_TOKEN is '(not shown)', but should be"),
        ("settings", {"SERVER_HOSTS": "a b"}, "failed", "SERVER_HOSTS is 'a b'"),
        ("settings", {"JAVASCRIPT_PAGES_PER_BROWSER": 0}, "failed", "JAVASCRIPT_PAGES_PER_BROWSER is 0"),
        ("settings", {"HTTPCACHE_EXPIRATION_SECS": "x"}, "failed", "HTTPCACHE_EXPIRATION_SECS is 'x'"),
        ("settings", {"SITE_MAX_MEBIBYTES": -1}, "failed", "SITE_MAX_MEBIBYTES is -1"),
        ("settings", {"JUNK_URL_KEEP": "fag"}, "failed", "JUNK_URL_KEEP is 'fag'"),
        ("settings", {"JUNK_URL_PATTERN": "("}, "failed", "JUNK_URL_PATTERN='('"),
        ("settings", {"HYBRID_WEIGHTS": "dense=x"}, "failed", "HYBRID_WEIGHTS"),
        ("settings", {"RERANKER": "best"}, "failed", "RERANKER is 'best'"),
        ("settings", {"ROTATING_PROXY_LIST": "ftp://h"}, "failed", "ROTATING_PROXY_LIST"),
        ("settings", {"LLM_MODEL": "m", "RESEARCH_CONCURRENCY": 0}, "failed", "RESEARCH_CONCURRENCY is 0"),
        ("collection", {}, "not used", "none yet"),
    ],
)
def test_the_machine_is_looked_at(
    given: Any, name: str, changes: dict[str, Any], state: str, found: str
) -> None:
    finding = find(name, given(**changes))
    assert (finding.state, found in finding.found) == (state, True), finding


def test_a_browser_is_started_and_has_to_show_a_page(given: Any, tmp_path: Path) -> None:
    assert find("browser", given(JAVASCRIPT="auto", CHROMIUM_PATH="chromium")).state == "ok"
    pretender = tmp_path / "pretender"
    pretender.write_text("#!/bin/sh\n[ $1 = --version ] && echo Chromium 156.0.8078.79\n", "utf-8")
    pretender.chmod(0o755)
    finding = find("browser", given(JAVASCRIPT="auto", CHROMIUM_PATH=str(pretender)))
    assert (finding.state, "shows no page" in finding.found or "does not start" in finding.found) == (
        "failed",
        True,
    )


@pytest.mark.parametrize(
    ("changes", "said", "is_fatal"),
    [
        ({"QDRANT_API_KEY": "k"}, "QDRANT_API_KEY has no effect without QDRANT_URL", False),
        ({"QDRANT_URL": "http://h:1", "QDRANT_FOLDER": "f"}, "QDRANT_FOLDER has no effect beside", False),
        ({"LLM_API_KEY": "k"}, "LLM_API_KEY has no effect without LLM_MODEL", False),
        ({"QUERY_EXPANSION": True}, "QUERY_EXPANSION needs LLM_MODEL", True),
        ({"SUMMARIZE": "1"}, "SUMMARIZE needs LLM_MODEL", True),
        ({"RERANKER": "llm"}, "RERANKER=llm needs LLM_MODEL", True),
        ({"EMBEDDING_URL": "http://h"}, "EMBEDDING_URL has no effect with", False),
        ({"PROXY": "tor", "ROTATING_PROXY_LIST": "h:1"}, "PROXY does not go with other proxies", True),
        ({"HF_ENDPOINT": "http://h", "HF_HUB_OFFLINE": "1"}, "HF_ENDPOINT is not asked", False),
        ({"SERVER_HOSTS": "h"}, "SERVER_HOSTS is for others", False),
        ({"GOOGLE_SEARCH_API_KEY": "k"}, "needs GOOGLE_SEARCH_ENGINE_ID", False),
    ],
)
def test_settings_that_contradict_each_other_are_named(
    given: Any, changes: dict[str, Any], said: str, is_fatal: bool
) -> None:
    (found,) = contradictions(given(**changes))
    assert said in found.text
    assert found.is_fatal == is_fatal


def test_settings_that_agree_say_so_and_every_invalid_one_is_named(given: Any) -> None:
    assert find("settings", given()) == Finding("ok", "valid, and none contradicts another")
    wrong = find("settings", given(REDIS_URL="redis://h:1", LLM_ATTEMPTS=0, SEARCH_TIMEOUT_SECONDS=-1))
    assert wrong.state == "failed"
    for name in ("QDRANT_URL", "LLM_ATTEMPTS", "SEARCH_TIMEOUT_SECONDS"):
        assert name in wrong.found


def test_one_broken_or_late_probe_hides_no_other(given: Any) -> None:
    done = threading.Event()

    def broken(settings: Settings, seconds: float) -> Finding:
        raise KeyError("x")

    def late(settings: Settings, seconds: float) -> Finding:
        done.wait(30)
        return Finding("ok", "too late")

    def good(settings: Settings, seconds: float) -> Finding:
        return Finding("ok", str(seconds))

    try:
        found = run_probes(given(), 0.01, {"broken": broken, "late": late, "good": good}, spare_seconds=0.2)
    finally:
        done.set()
    assert [each.name for each in found] == ["broken", "late", "good"]
    assert [each.finding.state for each in found] == ["failed", "failed", "ok"]
    assert "KeyError" in found[0].finding.found
    assert "no answer within 0.01 s" in found[1].finding.found


@pytest.mark.parametrize(
    ("settings", "text", "shown"),
    [
        ({"LLM_API_KEY": "abcdef"}, "the key abcdef is wrong", "the key *** is wrong"),
        ({"LLM_API_KEY": "abc"}, "abcdef", "abcdef"),
        ({"REDIS_URL": "redis://u:p%40ss@h:1/0"}, "p@ss or p%40ss", "*** or ***"),
        ({"POSTGRES_DSN": "postgresql://u@h/d?password=hidden"}, "password=hidden", "***"),
        ({"POSTGRES_DSN": "postgresql://u:[@h"}, "a text", "a text"),
        ({"CRAWL_COOKIES": None}, "http://u:p@h/", "http://***@h/"),
    ],
)
def test_secrets_are_masked(settings: dict[str, Any], text: str, shown: str) -> None:
    assert Mask(settings)(text) == shown
