"""`ragcrawler.crawl`: a process of its own, and a summary."""

import io
import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import ragcrawler
from ragcrawler.api import child, crawl, crawl_program
from ragcrawler.api.child import CrawlOrder, Ended, run_child
from ragcrawler.embedding.families.hashing_embedders import HASHING_DENSE, HASHING_SPARSE

# In place of the program of a crawl: takes the order, and does what each test says.
PROGRAM = "import json, os, signal, sys\norder = json.loads(sys.stdin.readline())\n"


def child_that(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(child, "_PROGRAM", (sys.executable, "-c", PROGRAM + code))


def test_a_folder_is_crawled_and_searched_in_three_lines(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "pumps.md").write_text("# Pumps\n\nThey need a filter.\n", encoding="utf-8")
    settings = {
        "OUTPUT_DIR": str(tmp_path / "output"),
        "EMBEDDING_MODEL": HASHING_DENSE.name,
        "SPARSE_EMBEDDING_MODEL": HASHING_SPARSE.name,
        "PREPARATION_WORKERS": 1,
        "GONE_AFTRE": 3,
    }
    log = io.StringIO()
    summary = ragcrawler.crawl(spider="files", path=tmp_path / "docs", settings=settings, log=log)
    assert (summary.exit_code, summary.is_whole, summary.end) == (0, True, "finished")
    assert (summary.fetched, summary.new, summary.chunks, summary.collection_points) == (1, 1, 1, 1)
    assert (summary.run_folder / "report.md").is_file()
    assert summary.report["spider"] == "files"
    assert summary.warnings == ("there is no setting GONE_AFTRE: did you mean GONE_AFTER?",)
    assert "GONE_AFTRE" in log.getvalue()
    del settings["GONE_AFTRE"]
    (hit,) = ragcrawler.search("which filter do pumps need?", settings=settings)
    assert hit.section_path == ("Pumps",)


def test_settings_and_arguments_stand_on_no_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody on the machine could read them there."""
    child_that(monkeypatch, "sys.stderr.write(json.dumps([order, sys.argv]))\n")
    ended = run_child(CrawlOrder("seeds", {"domains": "a.example"}, {"KEY": "canary"}), None)
    order, arguments = json.loads(ended.last_lines[-1])
    assert order == {"spider": "seeds", "arguments": {"domains": "a.example"}, "settings": {"KEY": "canary"}}
    assert "canary" not in " ".join(arguments)


def test_an_interruption_ends_the_crawl_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupting(io.StringIO):
        def write(self, text: str) -> int:
            if text.startswith("begun"):
                raise KeyboardInterrupt
            return super().write(text)

    child_that(
        monkeypatch,
        "def end(*_):\n    print('ending', file=sys.stderr, flush=True)\n    sys.exit(130)\n"
        "signal.signal(signal.SIGINT, end)\nprint('begun', file=sys.stderr, flush=True)\nsignal.pause()\n",
    )
    log = Interrupting()
    with pytest.raises(KeyboardInterrupt):
        run_child(CrawlOrder("seeds", {}, {}), log)
    assert log.getvalue() == "ending\n"


def test_a_crawl_ends_in_order_when_the_process_that_asked_for_it_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its end of the pipe closes, however it died."""
    reading, writing = os.pipe()
    killed: list[tuple[int, int]] = []
    monkeypatch.setattr(crawl_program, "_ORDERS", reading)
    monkeypatch.setattr(os, "kill", lambda *call: killed.append(call))
    waiting = threading.Thread(target=crawl_program._end_with_parent)
    waiting.start()
    os.write(writing, b"more")
    assert waiting.is_alive()
    assert killed == []
    os.close(writing)
    waiting.join()
    os.close(reading)
    assert killed == [(os.getpid(), signal.SIGINT)]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)\n", "ended with -9 and no report"),
        ("sys.exit('Error: the disk is full')\n", "^the disk is full$"),
        ("print('trouble', file=sys.stderr); sys.exit(2)\n", "ended with 2 and no report:\ntrouble"),
        ("print(json.dumps({'run_folder': '/nowhere'}))\n", "the report in /nowhere cannot be read"),
    ],
)
def test_a_process_without_a_report_is_an_error(
    monkeypatch: pytest.MonkeyPatch, code: str, message: str
) -> None:
    child_that(monkeypatch, code)
    with pytest.raises(ragcrawler.RagcrawlerError, match=message):
        ragcrawler.crawl("docs.example")


def test_what_the_report_gives_as_the_reason_is_the_message(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "report.json").write_text('{"refusal": "there is no dense model"}', encoding="utf-8")
    child_that(monkeypatch, f"print(json.dumps({{'run_folder': {str(tmp_path)!r}}})); sys.exit(1)\n")
    with pytest.raises(ragcrawler.RagcrawlerError, match=r"^there is no dense model$"):
        ragcrawler.crawl("docs.example")


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "1"), (False, "0"), (50, "50"), ("a.org", "a.org"), (["a.org", "b.org"], "a.org,b.org")],
)
def test_arguments_are_written_as_one_types_them(
    monkeypatch: pytest.MonkeyPatch, value: Any, text: str
) -> None:
    orders: list[CrawlOrder] = []

    def note(order: CrawlOrder, _: object) -> Ended:
        orders.append(order)
        return Ended(exit_code=1)

    monkeypatch.setattr(crawl, "run_child", note)
    with pytest.raises(ragcrawler.RagcrawlerError):
        ragcrawler.crawl(value, max_pages=3)
    assert orders == [CrawlOrder("seeds", {"domains": text, "max_pages": "3"}, {})]
