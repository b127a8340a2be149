"""Pages of results in a real Chromium: five engines on loopback, asked twice."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.search_engines.pages import URLS, make_page

pytestmark = pytest.mark.live

ENGINES = ("google", "brave", "duckduckgo", "bing", "mojeek")
SCRIPTED = """<html><body><div id="here"></div><script>
setTimeout(() => { document.getElementById("here").outerHTML = decodeURIComponent("%s"); }, 100);
new Image().src = "http://127.0.0.9:%d/picture"; fetch("http://127.0.0.9:%d/told");
</script></body></html>"""


class Engine:
    """One engine on an address of its own; it keeps the paths and cookies that it was asked with."""

    def __init__(self, host: str) -> None:
        self.pages: dict[str, tuple[int, dict[str, str], str]] = {}
        self.asked: list[tuple[str, str]] = []
        engine = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                engine.asked.append((path, self.headers.get("Cookie", "")))
                status, headers, body = engine.pages.get(path, (404, {}, "nothing"))
                self.send_response(status)
                for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer((host, 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        self.port = self._server.server_port
        self.url = f"http://{host}:{self.port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def searches(self) -> list[str]:
        """The cookies of each request for results."""
        return [cookie for path, cookie in self.asked if path in ("/search", "/")]


@pytest.fixture
def engines() -> Iterator[dict[str, Engine]]:
    with ExitStack() as undo:
        made = {}
        for number, name in enumerate((*ENGINES, "elsewhere"), start=4):
            made[name] = Engine(f"127.0.0.{number}")
            undo.callback(made[name].close)
        elsewhere = made["elsewhere"]
        body = make_page("google", "desktop", "ads").body.partition("<body>")[2].partition("</body>")[0]
        escaped = "".join(f"%{byte:02x}" for byte in body.encode())
        scripted = SCRIPTED % (escaped, elsewhere.port, elsewhere.port)
        made["google"].pages["/search"] = (200, {"Set-Cookie": "mark=google; Max-Age=3600"}, scripted)
        made["brave"].pages["/search"] = (200, {}, make_page("brave", "desktop", "captcha").body)
        made["duckduckgo"].pages["/"] = (302, {"Location": f"{elsewhere.url}/private"}, "")
        made["bing"].pages["/search"] = (200, {}, make_page("bing", "desktop", "wrapped").body)
        made["mojeek"].pages["/robots.txt"] = (200, {}, "User-agent: *\nDisallow: /search")
        yield made


def discover(
    output: Path, engines: dict[str, Engine]
) -> tuple[int, list[dict[str, object]], dict[str, int], str]:
    addresses = json.dumps({name: engines[name].url for name in ENGINES})
    settings = {
        "OUTPUT_DIR": str(output),
        "SEARCH_ADDRESSES": addresses,
        "SEARCH_BROWSER_DELAY_SECONDS": "0",
        "LOG_LEVEL": "WARNING",
    }
    command = [sys.executable, "-m", "scrapy", "crawl", "discover", "-a", "query=pump"]
    command += ["-a", f"engines={','.join(ENGINES)}", "-a", "per_domain=0"]
    command += [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=240, env={**os.environ, "NO_PROXY": "*"}, check=False
    )
    folder = max((output / "runs").iterdir())
    stats = json.loads((folder / "report.json").read_text())["stats"]
    rows = [json.loads(line) for line in (folder / "found.jsonl").read_text().splitlines()]
    prefix = "ragcrawler/search/states/"
    states = {name.removeprefix(prefix): count for name, count in stats.items() if name.startswith(prefix)}
    return done.returncode, rows, states, done.stderr


def test_a_real_browser_reads_engines_reaches_no_other_host_and_leaves_a_captcha_alone(
    engines: dict[str, Engine], tmp_path: Path
) -> None:
    code, rows, states, log = discover(tmp_path, engines)
    assert states == {
        "google/ok": 1,
        "brave/captcha": 1,
        "duckduckgo/failed": 1,
        "bing/ok": 1,
        "mojeek/robots": 1,
    }, log
    assert code == 4
    assert [row["url"] for row in rows] == list(URLS)
    assert {(row["engine"], row["ranks"]) for row in rows[:1]} == {("google,bing", "1,1")}
    assert engines["elsewhere"].asked == []
    assert engines["mojeek"].searches() == []
    code, rows, states, log = discover(tmp_path, engines)
    assert states["brave/suspended"] == 1, log
    assert len(engines["brave"].searches()) == 1
    assert engines["google"].searches() == ["", "mark=google"]
    assert set(engines["bing"].searches()) == {""}
    cookies = tmp_path / "state" / "search_cookies" / "google.json"
    assert cookies.stat().st_mode & 0o777 == 0o600
