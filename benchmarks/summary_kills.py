"""The price of summaries when the process is killed again and again: the table of docs/summaries.md.

    python benchmarks/summary_kills.py [--kills 20] [--passages 400] [--concurrency 4]

A double of OpenAI's interface bills each request that it takes, whether or not anybody hears the answer. A
process summarises a document of so many passages, and is killed by SIGKILL at random moments; the next one
goes on with the same ledger. At the end every passage must have its own summary, no kill may have cost more
than --concurrency passages a second payment, and the ledger must not say less than was billed: else the exit
code is 1.
"""

import argparse
import asyncio
import json
import multiprocessing
import random
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ragcrawler.config.models.summaries import SummariesConfig, SummaryWording
from ragcrawler.items import Document, SemanticChunk
from ragcrawler.llm.calls.budget import CallerConfig
from ragcrawler.llm.calls.ledger import CallLedger
from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.run.summaries.open import ACCOUNT, open_summarizer

ANSWER_SECONDS = (0.02, 0.06)
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["ragcrawler.run.summaries", "instructor", "openai"])


class BillingService(ThreadingHTTPServer):
    """Bills what it takes; `turns` are the passages of each process, in the order of their requests."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.turns: list[list[str]] = [[]]
        self.tokens = 0
        self.lock = threading.Lock()

    @property
    def billed(self) -> int:
        return sum(map(len, self.turns))

    def handle_error(self, *_: Any) -> None:
        """Whoever asked may be dead."""


class _Handler(BaseHTTPRequestHandler):
    server: BillingService

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        content = body["messages"][-1]["content"]
        passage = json.loads(content[-1]["text"] if isinstance(content, list) else content)["passage"]["text"]
        arguments = json.dumps({"summary": f"about {passage}"})
        used = {"prompt_tokens": len(json.dumps(body)) // 5, "completion_tokens": len(arguments) // 4}
        used["total_tokens"] = sum(used.values())
        with self.server.lock:
            self.server.turns[-1].append(passage)
            self.server.tokens += used["total_tokens"]
        time.sleep(random.uniform(*ANSWER_SECONDS))
        function = {"name": body["tools"][0]["function"]["name"], "arguments": arguments}
        call = {"id": "c", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        answer = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        data = json.dumps(answer | {"usage": used}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def document(passages: int) -> Document:
    chunks = tuple(
        SemanticChunk(
            id=str(number),
            chunk_id=str(number),
            document_id="document",
            content=f"passage {number}",
            content_hash="",
            token_count=2,
            embed_text=f"passage {number}",
            start=0,
            end=0,
            position=number,
        )
        for number in range(passages)
    )
    return Document(
        "document", "http://h.example/", "A document", "en", "It has passages.", "", "", chunks=chunks
    )


async def summarise(url: str, ledger: Path, passages: int, concurrency: int) -> None:
    model = LanguageModelConfig(model="double", base_url=url, max_output_tokens=150)
    calls = CallerConfig(concurrency=concurrency)
    config = SummariesConfig(model, calls, ledger, SummaryWording(), is_embedded=False)
    summarizer = open_summarizer(config)
    done = await summarizer.summarise(document(passages))
    await summarizer.close()
    wrong = [each.content for each in done.document.chunks if each.summary != f"about {each.content}"]
    if wrong:
        sys.exit(f"{len(wrong)} passages have no summary, or another's: {wrong[:3]}")


def run_and_kill(service: BillingService, work: tuple[str, Path, int, int], after: int | None) -> int:
    """Run a process, and kill it when so many requests of it were billed; without a number let it end."""
    service.turns.append([])
    child = PROCESSES.Process(target=run, args=work)
    child.start()
    while child.is_alive():
        if after is not None and len(service.turns[-1]) >= after:
            child.kill()
            break
        time.sleep(0.002)
    child.join()
    return child.exitcode or 0


def run(url: str, ledger: Path, passages: int, concurrency: int) -> None:
    asyncio.run(summarise(url, ledger, passages, concurrency))


def lost_calls(turns: list[list[str]]) -> list[int]:
    """For each process, how many of the passages billed to it were billed again to a later one."""
    later: set[str] = set()
    counts = []
    for turn in reversed(turns):
        counts.append(sum(passage in later for passage in turn))
        later.update(turn)
    return counts[::-1]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--passages", type=int, default=400)
    parser.add_argument("--concurrency", type=int, default=4)
    options = parser.parse_args()
    with TemporaryDirectory() as folder, BillingService() as service:
        threading.Thread(target=service.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        ledger = Path(folder) / "calls.sqlite"
        url = f"http://127.0.0.1:{service.server_port}/v1"
        work = (url, ledger, options.passages, options.concurrency)
        most = max(2, options.passages // (options.kills + 1))
        codes = [run_and_kill(service, work, random.randint(1, most)) for _ in range(options.kills)]
        last = run_and_kill(service, work, None)
        again = run_and_kill(service, work, None)
        service.shutdown()
        book = CallLedger(ledger)
        sums = book.sums(ACCOUNT)
        book.close()
    twice = lost_calls(service.turns)
    rows = {
        "passages: calls that have to be paid": options.passages,
        "kills": sum(code == -signal.SIGKILL for code in codes),
        "calls billed": service.billed,
        "of these a second time": sum(twice),
        "lost by one kill, at most": max(twice),
        "allowed for one kill: the calls at once": options.concurrency,
        "calls billed to a run after the last": len(service.turns[-1]),
        "tokens billed": service.tokens,
        "tokens in the ledger, presumed ones included": sums.tokens,
    }
    print("| what | number |\n|---|---:|")
    for words, number in rows.items():
        print(f"| {words} | {number} |")
    is_right = last == again == 0 and max(twice) <= options.concurrency and not service.turns[-1]
    sys.exit(0 if is_right and sums.tokens >= service.tokens and sums.paid == options.passages else 1)


if __name__ == "__main__":
    main()
