"""The cost of JavaScript on demand, against running the scripts of every page.

    uv run python benchmarks/crawl_javascript.py [--pages 200] [--share 0.05]

A site is served on loopback: `--pages` pages with text and a script each, of which a `--share` are shells
that get their text from an interface. It is crawled by `JAVASCRIPT` never, auto and always, without delays
and without pipelines. Each run says how many shells gained their text: speed alone would favour "never".
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SENTENCE = "Water the seedlings in the early morning, and check the pressure of the pump once a week. "
PROGRAM = """
const root = document.getElementById("root");
if (root) fetch("/api" + location.pathname).then((reply) => reply.json()).then((found) => {
  root.innerHTML = `<h1>${found.title}</h1><p>${found.text}</p>`;
});
"""
SETTINGS = {
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "False",
    "ITEM_PIPELINES": "{}",
    "LOG_LEVEL": "ERROR",
    "JAVASCRIPT_MAX_PAGES": "0",
    "JAVASCRIPT_MAX_PAGES_PER_HOST": "0",
}


def answers(pages: int, share: float) -> Callable[[str], tuple[str, str]]:
    every = round(1 / share)

    def answer(path: str) -> tuple[str, str]:
        if path == "/":
            links = "".join(f'<li><a href="/page/{number}">{number}</a></li>' for number in range(pages))
            return (
                "text/html",
                f"<html><body><h1>Start</h1><p>{SENTENCE * 5}</p><ul>{links}</ul></body></html>",
            )
        if path == "/program.js":
            return "text/javascript", PROGRAM
        if path.startswith("/api/page/"):
            return "application/json", json.dumps({"title": f"Page {path}", "text": SENTENCE * 20})
        if not path.startswith("/page/"):
            return "", ""
        is_shell = int(path.rpartition("/")[2]) % every == 0
        body = '<div id="root"></div>' if is_shell else f"<h1>Page {path}</h1>" + f"<p>{SENTENCE * 5}</p>" * 8
        return "text/html", f'<html><body>{body}<script src="/program.js"></script></body></html>'

    return answer


def serve(answer: Callable[[str], tuple[str, str]]) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            kind, text = answer(self.path)
            body = text.encode()
            self.send_response(200 if kind else 404)
            self.send_header("Content-Type", kind or "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def crawl(url: str, mode: str, output: Path) -> tuple[float, dict]:
    values = {**SETTINGS, "OUTPUT_DIR": str(output), "JAVASCRIPT": mode}
    command = [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"domains={url}"]
    command += [part for name, value in values.items() for part in ("-s", f"{name}={value}")]
    start = os.times()
    began = time.perf_counter()
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - began
    end = os.times()
    (path,) = output.glob("runs/*/report.json")
    report = json.loads(path.read_text(encoding="utf-8"))
    cpu = end.children_user + end.children_system - start.children_user - start.children_system
    return cpu, {**report, "wall": wall}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--share", type=float, default=0.05)
    arguments = parser.parse_args()
    server = serve(answers(arguments.pages, arguments.share))
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    rates: dict[str, float] = {}
    print(f"{arguments.pages} pages, {arguments.share:.0%} of them need JavaScript; without pipelines")
    for mode in ("never", "auto", "always"):
        with tempfile.TemporaryDirectory() as folder:
            cpu, report = crawl(url, mode, Path(folder))
        stats = report["stats"]
        seconds = report["elapsed_seconds"]
        rates[mode] = report["pages"]["seen"] / seconds
        counts = {
            name: stats.get(f"ragcrawler/javascript/{name}", 0) for name in ("wanted", "rendered", "gained")
        }
        print(f"  {mode:<7} {rates[mode]:7.2f} pages/s, {seconds:6.1f} s, CPU {cpu:6.1f} s, {counts}")
    print(f"auto / always: {rates['auto'] / rates['always']:.1f}")
    print(f"auto / never: {rates['auto'] / rates['never']:.2f}")
    server.shutdown()


if __name__ == "__main__":
    main()
