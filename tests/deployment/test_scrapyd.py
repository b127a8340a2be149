"""A real scrapyd: `scrapyd-deploy` sends the egg, jobs run from it, their files lie in the project's root."""

import json
import os
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

DEADLINE_SECONDS = 240.0
ASK_AGAIN_SECONDS = 0.2
WAITS = "This crawl waits for it, for 3600 s at the most"
CONFIGURATION = """\
[scrapyd]
poll_interval = 0.2
max_proc = 3
bind_address = 127.0.0.1
http_port = {port}
"""
# For what compiles files, not for what imports them: without it each job compiles the whole project.
BYTECODE_BESIDE_SOURCES = """\
import importlib.util
importlib.util.cache_from_source = lambda path, *_, **__: f"{path}c"
"""
WORDS = "Water the {plants} in the early morning, and check the pressure of the pump once a week. "


def pages(plants: str) -> dict[str, str]:
    words = WORDS.format(plants=plants)
    return {
        "/": f'<h1>Start</h1><p>{words * 3}</p><a href="/late">on</a>',
        "/late": f"<h1>Late</h1><p>{words[::-1]}</p>",
    }


class Gate:
    """A site of two pages; the second is not sent before the gate is opened."""

    def __init__(self, plants: str) -> None:
        self.was_reached, self.is_open = threading.Event(), threading.Event()
        gate, answers = self, pages(plants)

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/late":
                    gate.was_reached.set()
                    gate.is_open.wait()
                body = answers.get(self.path, "").encode()
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Keep the test's output quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.domain = f"127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self.is_open.set()
        self._server.shutdown()
        self._server.server_close()


class Scrapyd:
    """The server, its interface and its files."""

    def __init__(self, python: Path, folder: Path, root: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.url = f"http://localhost:{port}/"
        self.folder = folder
        (folder / "scrapyd.conf").write_text(CONFIGURATION.format(port=port))
        given = {name: value for name, value in os.environ.items() if not name.startswith("SCRAPY")}
        with (folder / "scrapyd.log").open("wb") as log:
            self._process = subprocess.Popen(
                [python, "-W", "ignore", "-m", "scrapyd"],
                cwd=folder,
                env={**given, "RAGCRAWLER_ROOT": str(root)},
                stdout=log,
                stderr=log,
            )

    @property
    def said(self) -> str:
        return (self.folder / "scrapyd.log").read_text(encoding="utf-8")

    def until(self, holds: Callable[[], bool]) -> None:
        """Ask again and again until it holds; fails when the server ends or the deadline passes before."""
        deadline, pace = time.monotonic() + DEADLINE_SECONDS, threading.Event()
        while not holds():
            assert self._process.poll() is None, self.said
            assert time.monotonic() < deadline, self.said
            pace.wait(ASK_AGAIN_SECONDS)

    def answers(self) -> bool:
        try:
            return self.ask("daemonstatus.json")["status"] == "ok"
        except URLError:
            return False

    def ask(self, call: str, **fields: Any) -> dict[str, Any]:
        data = urlencode(fields, doseq=True).encode()
        with urlopen(self.url + call, data=data if call == "schedule.json" else None, timeout=60) as answer:
            told = json.load(answer)
        assert told["status"] == "ok", told
        return dict(told)

    def schedule(self, domain: str, *settings: str) -> str:
        fields = {"project": "ragcrawler", "spider": "seeds", "domains": domain, "setting": settings}
        return str(self.ask("schedule.json", **fields)["jobid"])

    def has_finished(self, job: str) -> bool:
        return any(each["id"] == job for each in self.ask("listjobs.json?project=ragcrawler")["finished"])

    def log_of(self, job: str) -> str:
        log = self.folder / "logs" / "ragcrawler" / "seeds" / f"{job}.log"
        return log.read_text(encoding="utf-8") if log.exists() else ""

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()


@pytest.fixture(scope="module")
def python(make_environment: Callable[..., Path]) -> Path:
    """The interpreter of an environment where this project is not installed."""
    return make_environment() / "bin" / "python"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, environment_file: str) -> Path:
    folder = tmp_path_factory.mktemp("root")
    (folder / ".env").write_text(environment_file)
    return folder


@pytest.fixture(scope="module")
def scrapyd(python: Path, tmp_path_factory: pytest.TempPathFactory, root: Path) -> Iterator[Scrapyd]:
    server = Scrapyd(python, tmp_path_factory.mktemp("scrapyd"), root)
    try:
        server.until(server.answers)
        yield server
    finally:
        server.close()


@pytest.fixture(scope="module")
def bytecode_into_eggs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment variables with which an egg gets bytecode even where Python keeps it elsewhere."""
    folder = tmp_path_factory.mktemp("bytecode")
    (folder / "sitecustomize.py").write_text(BYTECODE_BESIDE_SOURCES)
    return {"PYTHONPATH": str(folder)}


@pytest.fixture(scope="module")
def deployed(scrapyd: Scrapyd, checkout: Path, python: Path, bytecode_into_eggs: dict[str, str]) -> str:
    """The output of `scrapyd-deploy`, called as docs/deploy.md says, at the address that this server has."""
    configuration = checkout / "scrapy.cfg"
    text = configuration.read_text(encoding="utf-8")
    assert "url = http://localhost:6800/\n" in text
    configuration.write_text(text.replace("http://localhost:6800/", scrapyd.url), encoding="utf-8")
    deploy = [python, "-m", "scrapyd_client.deploy"]
    return subprocess.run(
        deploy,
        cwd=checkout,
        env=os.environ | bytecode_into_eggs,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    ).stdout


class Jobs:
    """Three jobs at the same time: one has the collection, one waits for it, one may not wait."""

    def __init__(self, scrapyd: Scrapyd) -> None:
        site, other, third = Gate("seedlings"), Gate("tomatoes"), Gate("radishes")
        other.is_open.set()
        third.is_open.set()
        try:
            self.first = scrapyd.schedule(site.domain)
            assert site.was_reached.wait(DEADLINE_SECONDS)
            self.impatient = scrapyd.schedule(third.domain, "COLLECTION_WAIT_SECONDS=0")
            self.second = scrapyd.schedule(other.domain)
            scrapyd.until(lambda: WAITS in scrapyd.log_of(self.second))
            scrapyd.until(lambda: scrapyd.has_finished(self.impatient))
            site.is_open.set()
            scrapyd.until(lambda: scrapyd.has_finished(self.first) and scrapyd.has_finished(self.second))
        finally:
            for gate in (site, other, third):
                gate.close()


@pytest.fixture(scope="module")
def jobs(scrapyd: Scrapyd, deployed: str) -> Jobs:
    return Jobs(scrapyd)


@pytest.fixture(scope="module")
def reports(jobs: Jobs, root: Path) -> list[dict[str, Any]]:
    paths = root.glob("output/runs/*/report.json")
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths]


def test_the_project_is_deployed_with_its_spiders(deployed: str) -> None:
    assert json.loads(deployed)["status"] == "ok"
    assert json.loads(deployed)["spiders"] >= 1


def test_the_egg_holds_every_file_of_the_package(
    scrapyd: Scrapyd, deployed: str, package_files: set[str]
) -> None:
    (egg,) = scrapyd.folder.glob("eggs/ragcrawler/*.egg")
    with ZipFile(egg) as archive:
        names = {name for name in archive.namelist() if not name.startswith("EGG-INFO/")}
    assert {name for name in names if not name.endswith(".pyc")} == package_files
    assert any(name.endswith("/browser/page.js") for name in names)
    assert "ragcrawler/demo_site/pages/index.html" in names


def test_all_jobs_are_finished_for_scrapyd(scrapyd: Scrapyd, jobs: Jobs) -> None:
    listed = scrapyd.ask("listjobs.json?project=ragcrawler")
    assert listed["pending"] == listed["running"] == []
    assert {job["id"] for job in listed["finished"]} == {jobs.first, jobs.second, jobs.impatient}


def test_items_reports_and_points_of_both_crawls_are_in_the_projects_root(
    jobs: Jobs, reports: list[dict[str, Any]], root: Path
) -> None:
    items = [
        json.loads(line)
        for feed in root.glob("output/runs/*/documents.jsonl")
        for line in feed.read_text(encoding="utf-8").splitlines()
    ]
    assert Counter(item["title"] for item in items) == {"Start": 2, "Late": 2}
    assert sorted(report["exit_code"] for report in reports) == [0, 0, 1]
    assert max(report["collection_points"] or 0 for report in reports) == 4
    assert (root / "output" / "qdrant" / "deployed").is_dir()


def test_scrapyds_own_folder_holds_nothing_of_ours(scrapyd: Scrapyd, jobs: Jobs) -> None:
    names = {path.name for path in scrapyd.folder.iterdir()}
    assert names <= {"scrapyd.conf", "scrapyd.log", "eggs", "logs", "dbs", "twistd.pid"}


def test_the_job_that_waited_says_so_in_one_line(scrapyd: Scrapyd, jobs: Jobs) -> None:
    (line,) = [line for line in scrapyd.log_of(jobs.second).splitlines() if "in use by the process" in line]
    assert WAITS in line
    assert "The collection is free after" in scrapyd.log_of(jobs.second)


def test_the_job_that_may_not_wait_fails_with_one_line_in_its_log_and_its_report(
    scrapyd: Scrapyd, jobs: Jobs, reports: list[dict[str, Any]]
) -> None:
    log = scrapyd.log_of(jobs.impatient)
    (line,) = [line for line in log.splitlines() if "in use by the process" in line]
    assert " ERROR: " in line
    assert "Traceback" not in log
    (refused,) = [report for report in reports if report["exit_code"] == 1]
    assert "in use by the process" in refused["refusal"]
    assert refused["end"] == "start_failed"
    assert f"job={jobs.impatient!r}" in next(
        line for line in scrapyd.said.splitlines() if "exitstatus=1" in line
    )
