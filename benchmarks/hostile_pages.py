"""How much memory and disk one hostile page can cost: pages of over 30 shapes, a crawl for each.

    uv run python benchmarks/hostile_pages.py [--only NAME,NAME] [--memory 4096] [--disk 512]

Each page is served on this machine and crawled through all pipelines, with models that need no files. Memory
is the largest sum of what the crawl's processes held (proportional set size), disk the most that lay under
its output folder. A crawl over one of the bounds (mebibytes), or over ten minutes, is ended and marked.
"""

import argparse
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hostile_shapes import SHAPES, Shape

PACKAGE = Path(__file__).parents[1]
MEBIBYTE = 2**20
SECONDS = 600
SETTINGS = {
    "QDRANT_URL": "",
    "EMBEDDING_MODEL": "hashing/384",
    "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
    "JAVASCRIPT": "never",
    "SITEMAPS": "off",
    "LOG_LEVEL": "ERROR",
    "PROGRESS_ENABLED": "False",
}


class Server:
    """Serves one page at a time."""

    def __init__(self) -> None:
        self.shape = Shape(b"")
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path != "/":
                    self.send_error(404)
                    return
                self.send_response(200)
                self.send_header("Content-Type", outer.shape.content_type)
                self.send_header("Content-Length", str(len(outer.shape.body)))
                for name, value in outer.shape.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(outer.shape.body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"


def family(process_id: int) -> Iterator[int]:
    """A process and all below it."""
    yield process_id
    for children in Path(f"/proc/{process_id}/task").glob("*/children"):
        try:
            found = children.read_text(encoding="ascii").split()
        except OSError:
            continue
        for child in found:
            yield from family(int(child))


def memory(process_id: int) -> int:
    total = 0
    for each in list(family(process_id)):
        try:
            rollup = Path(f"/proc/{each}/smaps_rollup").read_text(encoding="ascii")
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) * 1024
    return total


def on_disk(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):  # passes over folders that go meanwhile
        for name in names:
            try:
                total += Path(place, name).lstat().st_blocks * 512
            except OSError:
                continue
    return total


@dataclass
class Cost:
    memory: int = 0
    disk: int = 0
    seconds: float = 0
    verdict: str = ""


def crawl(url: str, output: Path, options: argparse.Namespace) -> Cost:
    given = [part for name, value in SETTINGS.items() for part in ("-s", f"{name}={value}")]
    extra = [part for value in options.set for part in ("-s", value)]
    command = [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"urls={url}", "-a", "max_depth=0"]
    process = subprocess.Popen(
        [*command, "-s", f"OUTPUT_DIR={output}", *given, *extra], cwd=PACKAGE, stderr=subprocess.DEVNULL
    )
    cost, begun = Cost(), time.monotonic()
    while process.poll() is None:
        cost.memory = max(cost.memory, memory(process.pid))
        cost.disk = max(cost.disk, on_disk(output))
        cost.seconds = time.monotonic() - begun
        if (
            cost.memory > options.memory * MEBIBYTE
            or cost.disk > options.disk * MEBIBYTE
            or cost.seconds > SECONDS
        ):
            cost.verdict = "OVER THE BOUND, ended"
            for each in list(family(process.pid)):
                try:
                    os.kill(each, 9)
                except ProcessLookupError:
                    continue
            process.wait()
            return cost
        time.sleep(0.05)
    cost.verdict = outcome(output, process.returncode)
    return cost


def outcome(output: Path, code: int) -> str:
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in output.glob("runs/*/report.json")]
    if not reports:
        return f"no report, exit {code}"
    report: dict[str, Any] = reports[0]
    words = [f"{report['chunks']['points']} points"]
    for name in ("skipped", "failed"):
        words += [
            f"{reason} {count}" for reason, count in report["pages"][name].items() if reason != "max_depth"
        ]
    words += [
        f"{name.rpartition('/')[2]} cut {count}"
        for name, count in report["stats"].items()
        if name.startswith("ragcrawler/convert/cut/")
    ]
    return ", ".join(words)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="beginnings of names, with commas")
    parser.add_argument("--memory", type=int, default=4096, help="mebibytes")
    parser.add_argument("--disk", type=int, default=512, help="mebibytes")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="settings")
    options = parser.parse_args()
    server, wanted = Server(), tuple(options.only.split(","))
    worst = Cost()
    print(f"{'shape':40} {'sent kB':>8} {'memory':>7} {'disk':>6} {'s':>4}  MiB")
    for name, make in SHAPES.items():
        if not name.startswith(wanted):
            continue
        server.shape = make()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
            cost = crawl(server.url, Path(scratch) / "output", options)
        worst.memory, worst.disk = max(worst.memory, cost.memory), max(worst.disk, cost.disk)
        figures = f"{cost.memory // MEBIBYTE:>7} {cost.disk // MEBIBYTE:>6} {cost.seconds:>4.0f}"
        print(f"{name:40} {len(server.shape.body) // 1000:>8} {figures}  {cost.verdict}", flush=True)
    print(f"the most: {worst.memory // MEBIBYTE} MiB of memory, {worst.disk // MEBIBYTE} MiB on disk")
    server.server.shutdown()


if __name__ == "__main__":
    main()
