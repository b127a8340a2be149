"""The server over 50,000 chunks: its API beside the call in one process, keystrokes to hits, its start.

    uv run python benchmarks/serve.py --chunks 50000 --folder FOLDER

The chunks are made up, with vectors that are random; the questions are embedded by the bundled models. The
folder is filled once. `--questions 0` leaves the browser out. In-process and HTTP calls take turns, 20 each,
so that both meet the same machine.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import httpx
import numpy as np

from ragcrawler.bootstrap.models.collection_embedders import collection_models, open_collection_embedders
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.config.server import server_config
from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.server.run import serve, warm_up
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.stores import open_store

WORDS = [
    f"{a}{b}{c}" for a in "bdfgklmprst" for b in ("a", "e", "i", "o", "u") for c in ("n", "rd", "st", "l")
]
BATCH, TURN = 500, 20


def made_chunks(number: int, dimensions: int) -> Iterator[list[SemanticChunk]]:
    """Passages of 120 words, twelve a document, of fifty sites."""
    chooser, numbers = random.Random(1), np.random.default_rng(1)
    for begin in range(0, number, BATCH):
        dense = numbers.normal(size=(BATCH, dimensions)).astype(np.float32)
        dense /= np.linalg.norm(dense, axis=1, keepdims=True)
        made = []
        for index in range(begin, min(begin + BATCH, number)):
            document, content = index // 12, " ".join(chooser.choices(WORDS, k=120))
            url = f"https://site{document % 50}.example/page{document}"
            indices = tuple(sorted(chooser.sample(range(1_000, 30_000), 60)))
            sparse = SparseVector(indices, tuple(chooser.random() for _ in indices))
            made.append(
                SemanticChunk(
                    id=str(UUID(int=index + 1)),
                    chunk_id=f"chunk_{index}",
                    document_id=f"document{document}",
                    document_title=f"Page {document}",
                    content=content,
                    content_hash=str(index),
                    token_count=150,
                    embed_text=content,
                    start=0,
                    end=len(content),
                    position=index % 12,
                    source_url=url,
                    chunk_link=f"{url}#part-{index % 12}",
                    section_path=("Guide", f"Part {index % 12}"),
                    vectors=Vectors(dense[index - begin], sparse),
                )
            )
        yield made


def fill(settings: dict[str, object], number: int) -> None:
    configuration = Configuration.from_settings(settings)
    models = collection_models(open_collection_embedders(configuration, None))
    with open_store(configuration.store) as store:
        store.create(models)
        for made in made_chunks(number, models.dense_dimensions):
            store.upsert(made)
        store.flush()


@contextmanager
def running(collection: ServedCollection, settings: dict[str, object]) -> Iterator[str]:
    loop, end, started = asyncio.new_event_loop(), asyncio.Event(), threading.Event()
    addresses: list[str] = []

    def tell(address: str) -> None:
        addresses.append(address)
        started.set()

    config = server_config(settings, "127.0.0.1", 0)
    thread = threading.Thread(
        target=lambda: loop.run_until_complete(serve(collection, config, tell=tell, end=end))
    )
    thread.start()
    started.wait()
    yield addresses[0]
    loop.call_soon_threadsafe(end.set)
    thread.join()


def questions(number: int) -> list[str]:
    chooser = random.Random(2)
    return [" ".join(chooser.choices(WORDS, k=6)) for _ in range(number)]


CLIENT = """
import json, sys, time, httpx
with httpx.Client(base_url=sys.argv[1], trust_env=False, timeout=60) as client:
    for line in sys.stdin:
        began = time.perf_counter()
        answer = client.get("/api/search", params={"q": line.strip(), "limit": 10})
        answer.raise_for_status()
        print(time.perf_counter() - began, flush=True)
"""


def compare(collection: ServedCollection, url: str, rounds: int) -> dict[str, float]:
    """Milliseconds in this process and over HTTP from another one, and CPU of this one, which serves."""
    retriever = collection.retriever()
    assert retriever is not None
    inside, outside, cpu = [], [], [0.0, 0.0]
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert client.stdin
    assert client.stdout
    for number in range(rounds):
        asked = questions(TURN * (number + 1))[-TURN:]
        at = time.process_time()
        for question in asked:
            began = time.perf_counter()
            retriever.search(question, 10)
            inside.append(time.perf_counter() - began)
        between = time.process_time()
        for question in asked:
            client.stdin.write(question + "\n")
            client.stdin.flush()
            outside.append(float(client.stdout.readline()))
        cpu[0] += between - at
        cpu[1] += time.process_time() - between
    client.stdin.close()
    client.wait()
    first, second = statistics.median(inside), statistics.median(outside)
    return {
        "in_process_p50_ms": round(1_000 * first, 1),
        "api_p50_ms": round(1_000 * second, 1),
        "ratio": round(second / first, 3),
        "in_process_cpu_ms": round(1_000 * cpu[0] / len(inside), 1),
        "api_cpu_ms": round(1_000 * cpu[1] / len(outside), 1),
        "cpu_ratio": round(cpu[1] / cpu[0], 3),
    }


WATCH = """
window.pauses = [];
let at = 0;
document.getElementById("q").addEventListener("input", () => { at = performance.now(); }, true);
new MutationObserver(() => { if (at) window.pauses.push(performance.now() - at); at = 0; })
  .observe(document.getElementById("results"), {childList: true});
"""


def keystrokes(url: str, number: int) -> dict[str, float]:
    """From a key to the hits on the page, where one waits for them; every letter is a search."""
    from playwright.sync_api import sync_playwright

    from ragcrawler.rendering.chromium import find_chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_chromium("")), args=["--no-sandbox"])
        page = browser.new_page(bypass_csp=True)  # which forbids to evaluate what watches here
        page.goto(url)
        page.evaluate(WATCH)
        for question in questions(number):
            page.fill("#q", "")
            page.wait_for_timeout(200)
            seen = page.evaluate("window.pauses.length")
            for letter in question[:12]:
                page.keyboard.type(letter)
                if letter != " ":
                    page.wait_for_function(f"window.pauses.length > {seen}")
                    seen = page.evaluate("window.pauses.length")
        pauses = sorted(page.evaluate("window.pauses"))
        browser.close()
    return {
        "keystrokes": len(pauses),
        "p50_ms": round(pauses[len(pauses) // 2], 1),
        "p95_ms": round(pauses[int(len(pauses) * 0.95)], 1),
    }


def start_seconds(settings: dict[str, object]) -> dict[str, float]:
    """Wall and CPU seconds from the command to the first answer."""
    given = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "scrapy", "serve", "--port", "0", *given], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    httpx.get(f"{process.stdout.readline().split()[2]}health", trust_env=False).raise_for_status()
    wall = time.perf_counter() - began
    cpu = sum(map(float, Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]))
    process.terminate()
    process.wait()
    return {"wall": round(wall, 2), "cpu": round(cpu / os.sysconf("SC_CLK_TCK"), 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--folder", type=Path, help="kept for the next time; without it: a temporary one")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--questions", type=int, default=20)
    options = parser.parse_args()
    with ExitStack() as kept:
        folder = options.folder or Path(kept.enter_context(TemporaryDirectory()))
        measure(folder / str(options.chunks), options)


def measure(output: Path, options: argparse.Namespace) -> None:
    """Fill the folder where it is empty, and print all figures."""
    own = {"OUTPUT_DIR": str(output), "QDRANT_URL": "", "HF_HUB_OFFLINE": "1"}
    settings = dict(project_settings(**own, SERVER_REQUESTS_PER_SECOND=100_000.0))
    if not output.exists():
        fill(settings, options.chunks)
    shown: dict[str, object] = {"chunks": options.chunks, "start_seconds": start_seconds(own)}
    with ServedCollection.open(settings) as collection, running(collection, settings) as url:
        warm_up(collection)
        shown["search"] = compare(collection, url, options.rounds)
        print(json.dumps(shown, indent=2), flush=True)
        if options.questions:
            shown["keystrokes"] = keystrokes(url, options.questions)
    print(json.dumps(shown, indent=2))


if __name__ == "__main__":
    main()
