"""No command shows or writes a password or a key, whatever the services say that it is sent to."""

import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.warm_python import Python, completed

PROJECT = Path(__file__).parents[2]
CANARY = "Canary7Pw"
# One process runs them all, for to start Scrapy takes longer than most of them.
RUN_ALL = """
import io, json, sys
from scrapy.cmdline import execute
for argv in json.loads(sys.argv[1]):
    sys.stderr.write(f"--- {argv}\\n")
    sys.stdin = io.StringIO("# Text\\n\\nSome words.\\n")
    try:
        execute(["scrapy", *argv])
    except SystemExit as end:
        sys.stderr.write(f"exit {end.code}\\n")
"""
COMMANDS = [
    ["search", "words"],
    ["ask", "words"],
    ["verify"],
    ["export"],
    ["import", "chunks.jsonl"],
    ["reindex", "--into", "other"],
    ["remove", "https://a.org/page", "--keep-out"],
    ["summarize", "--batch"],
    ["eval", "queries.jsonl"],
    ["tune", "queries.jsonl"],
    ["chunk", "-"],
    ["convert", "page.html"],
    ["validate"],
    ["arguments", "seeds"],
    ["crawls"],
    ["tor", "--instances", "0"],
    ["research", "--list"],
    ["templates", "list"],
    ["serve", "--host", "256.0.0.1"],
    ["mcp", "unwanted"],
    ["report"],
    ["doctor"],
    ["doctor", "--json"],
    ["completion", "bash"],
]
# They need a process of their own.
CRAWLING_COMMANDS = {"crawl", "demo", "plan"}
ADDRESSES = ("QDRANT_URL", "LLM_BASE_URL", "EMBEDDING_URL", "HF_ENDPOINT")


class Echo(ThreadingHTTPServer):
    """A service that refuses everything, and repeats all headers that it was sent."""

    daemon_threads = True

    def __init__(self) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                said = json.dumps(
                    {"status": {"error": str(self.headers)}, "error": {"message": str(self.headers)}}
                )
                self.send_response(
                    400, f"no {self.headers.get('api-key')} {self.headers.get('Authorization')}"
                )
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(said)))
                self.end_headers()
                self.wfile.write(said.encode())

            def do_POST(self) -> None:
                self.do_GET()

            def do_PUT(self) -> None:
                self.do_GET()

            def log_message(self, *_: object) -> None:
                """Keep the test's output quiet."""

        super().__init__(("127.0.0.1", 0), Handler)
        self.place = f"127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()


@pytest.fixture(scope="module")
def echo() -> Iterator[Echo]:
    server = Echo()
    yield server
    server.shutdown()
    server.server_close()


def run(python: Python, folder: Path, environment: dict[str, str], *arguments: str) -> str:
    """All that was shown and written."""
    (folder / "page.html").write_text("<h1>Words</h1><p>Some words for the reader.</p>", encoding="utf-8")
    (folder / "queries.jsonl").write_text('{"query": "words", "relevant": ["x"]}\n', encoding="utf-8")
    (folder / "chunks.jsonl").write_text("{}\n", encoding="utf-8")
    plain = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    program = python(
        *arguments,
        folder=folder,
        environment=plain
        | {
            "PYTHONPATH": f"{PROJECT}{os.pathsep}{Path(__file__).parent}",
            "SCRAPY_SETTINGS_MODULE": "ragcrawler.settings",
            "OUTPUT_DIR": str(folder / "output"),
            "HF_HUB_OFFLINE": "1",
            "EMBEDDING_MODEL": "hashing/384",
            "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
            "LOG_LEVEL": "DEBUG",
        }
        | environment,
    )
    done = completed(program, timeout=300)
    written = [path.read_bytes().decode("utf-8", "replace") for path in folder.rglob("*") if path.is_file()]
    return "\n".join([done.stdout, done.stderr, *written])


def crawl(url: str, *settings: str) -> list[str]:
    quick = [
        "DOWNLOAD_DELAY=0",
        "RETRY_ENABLED=False",
        "SITEMAPS=off",
        "JAVASCRIPT=never",
        "STORE_WAIT_SECONDS=0",
    ]
    quick += ["TWISTED_DNS_RESOLVER=loopback_resolver.LoopbackResolver", "EMBEDDING_RETRIES=0"]
    given = [part for setting in (*quick, *settings) for part in ("-s", setting)]
    return ["-m", "scrapy", "crawl", "seeds", "-a", f"domains={url}", *given]


@pytest.mark.parametrize("name", ADDRESSES)
def test_an_address_with_a_password_is_refused_by_each_command_and_not_shown(
    python: Python, tmp_path: Path, name: str, echo: Echo
) -> None:
    environment = {
        name: f"http://user:{CANARY}@{echo.place}",
        "LLM_MODEL": "some",
        "EMBEDDING_PROVIDER": "openai",
    }
    if name != "EMBEDDING_URL":
        environment["EMBEDDING_PROVIDER"] = "local"
    shown = run(python, tmp_path, environment, "-c", RUN_ALL, json.dumps(COMMANDS))
    assert CANARY not in shown
    assert f"Error: {name} is 'http://***@127.0.0.1:" in shown


def test_no_command_is_left_out() -> None:
    modules = (PROJECT / "ragcrawler" / "commands").rglob("*.py")
    commands = {path.stem for path in modules if "class Command(" in path.read_text(encoding="utf-8")}
    assert commands == {argv[0] for argv in COMMANDS} | CRAWLING_COMMANDS


def test_a_plan_shows_no_key(python: Python, tmp_path: Path, echo: Echo) -> None:
    """So does a demo: tests/commands/test_demo_command.py."""
    environment = {
        "QDRANT_API_KEY": CANARY,
        "LLM_MODEL": "some",
        "LLM_BASE_URL": f"http://{echo.place}/v1",
        "LLM_API_KEY": CANARY,
        "CRAWL_HEADERS": json.dumps({echo.place: {"Authorization": f"Bearer {CANARY}"}}),
    }
    shown = run(python, tmp_path, environment, "-m", "scrapy", "plan", "-a", f"urls=http://{echo.place}/")
    assert len(shown) > 100
    assert CANARY not in shown


def test_a_crawl_refuses_an_address_with_a_password(python: Python, tmp_path: Path, echo: Echo) -> None:
    environment = {"QDRANT_URL": f"http://user:{CANARY}@{echo.place}"}
    shown = run(python, tmp_path, environment, *crawl("http://127.0.0.1:9/"))
    assert CANARY not in shown
    assert "Error: QDRANT_URL is 'http://***@127.0.0.1:" in shown


def test_a_service_that_repeats_its_key_makes_no_command_show_it(
    python: Python, tmp_path: Path, echo: Echo
) -> None:
    environment = {
        "QDRANT_URL": f"http://{echo.place}",
        "QDRANT_API_KEY": CANARY,
        "LLM_MODEL": "some",
        "LLM_BASE_URL": f"http://{echo.place}/v1",
        "LLM_API_KEY": CANARY,
    }
    shown = run(python, tmp_path, environment, "-c", RUN_ALL, json.dumps(COMMANDS))
    assert "status 400" in shown  # the service was asked, and repeated the headers
    assert CANARY not in shown


def test_the_passwords_of_redis_and_postgresql_are_not_shown(python: Python, tmp_path: Path) -> None:
    environment = {
        "REDIS_URL": f"redis://user:{CANARY}@127.0.0.1:9/0?password={CANARY}",
        "POSTGRES_DSN": f"postgresql://user:{CANARY}@127.0.0.1:9/none",
        "QDRANT_URL": "http://127.0.0.1:9",
        "REDIS_WAIT_SECONDS": "0.1",
        "STORE_WAIT_SECONDS": "0",
    }
    commands = [["crawls"], ["verify"], ["research", "--list"], ["templates", "list"]]
    shown = run(python, tmp_path, environment, "-c", RUN_ALL, json.dumps(commands))
    assert "Redis at redis://" in shown
    assert "PostgreSQL" in shown
    assert CANARY not in shown


def test_a_crawl_with_secrets_of_all_kinds_leaves_none_behind(
    python: Python, tmp_path: Path, echo: Echo, serve: Any
) -> None:
    site = serve(lambda path: (200, b"<html><body><main><h1>Words</h1><p>Some words to embed.</p></main>"))
    environment = {
        "EMBEDDING_PROVIDER": "openai",
        "EMBEDDING_MODEL": "some",
        "EMBEDDING_URL": f"http://{echo.place}/v1",
        "EMBEDDING_API_KEY": CANARY,
        "CRAWL_HEADERS": json.dumps({site.removeprefix("http://"): {"Authorization": f"Bearer {CANARY}"}}),
    }
    shown = run(python, tmp_path, environment, *crawl(site))
    assert "answered 400" in shown  # by the service that embeds
    assert CANARY not in shown


@pytest.mark.parametrize("name", ["ROTATING_PROXY_LIST", "http_proxy"])
def test_the_password_of_a_proxy_is_not_shown(python: Python, tmp_path: Path, echo: Echo, name: str) -> None:
    environment = {name: f"http://user:{CANARY}@{echo.place}"}
    shown = run(
        python, tmp_path, environment, *crawl("http://site.example/", "ROTATING_PROXY_PAGE_RETRY_TIMES=1")
    )
    assert "http_400" in shown
    assert CANARY not in shown


def test_a_password_in_a_named_url_is_not_shown(python: Python, tmp_path: Path) -> None:
    url = f"http://user:{CANARY}@127.0.0.1:9/"
    assert CANARY not in run(python, tmp_path, {}, "-m", "scrapy", "convert", url)
    assert CANARY not in run(python, tmp_path, {}, *crawl(url))
