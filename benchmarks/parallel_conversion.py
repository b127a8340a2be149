"""Documents a second on two cores beside one: conversion and chunking, where the model runs elsewhere.

    python benchmarks/parallel_conversion.py [FOLDER] [--rounds 3] [--pages 100] [--workers 0]

Ingests a folder with `scrapy crawl files`, in turns on one core and on two. FOLDER holds HTML files; without
it, pages of about 40 kB are made. The dense model is a double with OpenAI's interface, in a process of its
own on the same cores as the crawl; sparse vectors are hashed words. What is timed is from the first texts
that the service gets to the last: start-up and the end of the run are left out.

ratio           documents a second on two cores, divided by those on one, the median of the rounds
CPU             seconds of crawl and workers without those of a run of one page, which is the start-up; of
                these the workers' converting and chunking
parallelism     the former divided by the time from the first texts to the last

On a machine that does other work the ratio says little. Another line tells what the CPU seconds allow: the
whole work divided by the longer of half of it and the part of the crawl's own process.
"""

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
ROW = json.dumps([round((index * 37 % 97 + 1) / 970, 5) for index in range(384)])
SECTIONS = 30
SYLLABLES = [first + vowel + last for first in "bdfgklmnprst" for vowel in "aeiou" for last in "lmnrst"]


@dataclass(frozen=True)
class Run:
    """One ingest.

    Attributes:
        documents: that it stored.
        seconds: that these took, as the first and the last texts tell.
        cpu_seconds: of the program and its workers.
        worker_cpu_seconds: of these, converting and chunking.
    """

    documents: int
    seconds: float
    cpu_seconds: float
    worker_cpu_seconds: float

    @property
    def rate(self) -> float:
        """Documents a second."""
        return self.documents / self.seconds

    @property
    def possible(self) -> float:
        """The ratio on two free cores, by the CPU seconds."""
        own = self.cpu_seconds - self.worker_cpu_seconds
        return self.cpu_seconds / max(self.cpu_seconds / 2, own)


class Service(BaseHTTPRequestHandler):
    """OpenAI's interface, with the same vector for each text; keeps when texts came, and how many."""

    protocol_version = "HTTP/1.1"
    requests: list[tuple[float, int]] = []  # noqa: RUF012  of the one server in its process

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        self.requests.append((time.monotonic(), len(texts)))
        rows = ",".join(f'{{"index":{index},"embedding":{ROW}}}' for index in range(len(texts)))
        content = f'{{"data":[{rows}],"usage":{{"total_tokens":{len(texts)}}}}}'.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def serve(cores: set[int], pipe: Connection) -> None:
    os.sched_setaffinity(0, cores)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pipe.send(server.server_port)
    pipe.recv()
    pipe.send(Service.requests)


def ingest(folder: Path, cores: set[int], settings: dict[str, str]) -> Run:
    ours, theirs = Pipe()
    service = Process(target=serve, args=(cores, theirs), daemon=True)
    service.start()
    settings = settings | {"EMBEDDING_URL": f"http://127.0.0.1:{ours.recv()}/v1"}
    with tempfile.TemporaryDirectory() as output:
        options = [part for each in settings.items() for part in ("-s", "=".join(each))]
        call = [sys.executable, "-m", "scrapy", "crawl", "files", "-a", f"path={folder}", *options]
        before = _children_cpu()
        subprocess.run(
            [*call, "-s", f"OUTPUT_DIR={output}"],
            cwd=PACKAGE,
            check=True,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: os.sched_setaffinity(0, cores),
        )
        cpu = _children_cpu() - before
        report = json.loads(next(Path(output, "runs").glob("*/report.json")).read_text())
    ours.send("end")
    requests = ours.recv()
    service.join()
    return Run(report["pages"]["fetched"], _seconds(requests), cpu, _worker_cpu(report))


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _worker_cpu(report: dict[str, dict[str, dict[str, float]]]) -> float:
    return sum(report["times"][name]["cpu_seconds"] for name in ("convert", "chunk"))


def _seconds(requests: list[tuple[float, int]]) -> float:
    """The time of all texts: from the first request for texts to the last, and as much for the first's."""
    times, counts = zip(*requests[1:], strict=True)  # the very first asks for the dimensions
    return float((times[-1] - times[0]) * sum(counts) / max(sum(counts[1:]), 1))


def make_pages(folder: Path, count: int) -> None:
    """Pages of a manual that differ in all their words."""
    for number in range(count):
        folder.joinpath(f"{number:04}.html").write_text(_page(random.Random(number)), encoding="utf-8")


def _page(chance: random.Random) -> str:
    def words(count: int) -> str:
        return " ".join("".join(chance.choices(SYLLABLES, k=chance.randint(1, 3))) for _ in range(count))

    menu = "".join(f"<li><a href='{words(1)}.html'>{words(2)}</a></li>" for _ in range(60))
    sections = "".join(
        f"<h2 id='s{part}'>{words(4)}</h2><p>{words(60)}. <a href='{words(1)}.html'>{words(3)}</a>"
        f" {words(40)}.</p><pre><code class='language-python'>{words(2)} = {words(1)}()</code></pre><ul>"
        + "".join(f"<li>{words(8)}</li>" for _ in range(4))
        + f"</ul><table><tr><th>{words(1)}</th><th>{words(1)}</th></tr><tr><td>{words(3)}</td>"
        f"<td>{words(3)}</td></tr></table>"
        for part in range(SECTIONS)
    )
    return (
        f"<html><head><title>{words(3)}</title></head><body><nav><ul>{menu}</ul></nav><main><h1>{words(4)}</h1>"
        f"{sections}</main><footer>{words(20)}</footer></body></html>"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--workers", help="PREPARATION_WORKERS; as the project has it unless given")
    options = parser.parse_args()
    settings = {"EMBEDDING_PROVIDER": "openai", "EMBEDDING_MODEL": "double"}
    settings |= {"SPARSE_EMBEDDING_MODEL": "hashing/sparse", "LOG_LEVEL": "ERROR"}
    if options.workers:
        settings["PREPARATION_WORKERS"] = options.workers
    first, second = sorted(os.sched_getaffinity(0))[:2]
    with tempfile.TemporaryDirectory() as made:
        if not options.folder:
            make_pages(Path(made), options.pages)
        folder = Path(options.folder or made).resolve()
        start_up = ingest_one_page({first, second}, settings)
        rounds = [
            tuple(
                print_run(ingest(folder, cores, settings), start_up, cores)
                for cores in ({first}, {first, second})
            )
            for _ in range(options.rounds)
        ]
    ratio = statistics.median(two.rate / one.rate for one, two in rounds)
    print(f"possible by CPU seconds {statistics.median(two.possible for _, two in rounds):.2f}")
    print(f"ratio {ratio:.2f}")


def ingest_one_page(cores: set[int], settings: dict[str, str]) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        make_pages(Path(folder), 1)
        return ingest(Path(folder), cores, settings)


def print_run(run: Run, start_up: Run, cores: set[int]) -> Run:
    """The run without the start-up."""
    cpu = run.cpu_seconds - start_up.cpu_seconds
    work = replace(run, cpu_seconds=cpu)
    print(
        f"{len(cores)} cores: {work.rate:6.1f} documents/s, {work.seconds:.1f} s; CPU {cpu:.1f} s, of workers"
        f" {work.worker_cpu_seconds:.1f} s; parallelism {cpu / work.seconds:.2f}",
        flush=True,
    )
    return work


if __name__ == "__main__":
    main()
