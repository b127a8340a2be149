"""Every page that we make, filled: those of the server by route, and those that are written as files."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from uuid import UUID

from ragcrawler.items import SemanticChunk
from ragcrawler.research.report.html import html_report, live_page
from ragcrawler.run.reporting.html import run_page
from ragcrawler.run.reporting.recorded_run import read_run
from ragcrawler.run.reporting.report_markdown import report_markdown
from tests.research.reports import empty_report, hostile_report, small_report
from tests.research.test_research_live import state_of
from tests.run.test_run_report_page import failure, left, whole
from tests.server.conftest import RunningServer, running
from tests.server.library import chunk_id, fill, handbook

_RUN, _SHORT_RUN = "20260102T030405Z-seeds-1", "20260101T030405Z-seeds-1"
_ANSWER = {
    "statements": [
        {
            "text": "The logs are rotated by logrotate.",
            "quotes": [{"source": 1, "text": "Rotate the logs with **logrotate**, once a day."}],
        }
    ]
}

SERVED: Mapping[str, tuple[str, ...]] = {
    "/": ("/", "/?q=rotate+the+logs", "/?q=note&offset=10", "/?q=rotate&kind=table&section=Nowhere"),
    "/ask": ("/ask", "/ask?q=rotate+the+logs&site=docs.example"),
    "/document/{document_id}": ("/document/hostile?q=rotate", "/document/long", "/document/long?start=40"),
    "/chunk/{chunk_id}": (f"/chunk/{chunk_id(2)}?q=rotate",),
    "/sources": ("/sources",),
    "/documents": ("/documents?limit=3", "/documents?site=nobody.example"),
    "/api": ("/api",),
    "/runs": ("/runs",),
    "/runs/{name}": (f"/runs/{_RUN}", f"/runs/{_SHORT_RUN}"),
    "/runs/{name}/report.html": (f"/runs/{_RUN}/report.html",),
}
"""Where the page of each route is looked at."""

FILES = (
    "run/report.html",
    "killed/report.html",
    "research/report.html",
    "research/live.html",
    "hostile/report.html",
    "hostile/live.html",
    "empty/report.html",
)
"""Pages that are opened without a server."""


@contextmanager
def served(output: Path, *, with_model: bool) -> Iterator[RunningServer]:
    """A server over all that its pages show."""
    fill(output, [*handbook(), *_notes(), *_long()])
    _leave_runs(output)
    script = output / "script.jsonl"
    script.write_text(f"{json.dumps(_ANSWER)}\n" * 200, "utf-8")
    model = f"scripted/{script}" if with_model else ""
    with running(output, LLM_MODEL=model, SERVER_ASKS_PER_MINUTE=10_000.0) as server:
        yield server


def write_files(folder: Path) -> None:
    """Write the pages of `FILES`."""
    run = left(folder, "whole", whole())
    killed = left(folder, "killed")
    killed.failures.write_text("".join(failure(number) for number in range(3)), "utf-8")
    pages = {
        "run/report.html": run_page(read_run(run)),
        "killed/report.html": run_page(read_run(killed)),
        "research/report.html": html_report(small_report()),
        "research/live.html": live_page(state_of(small_report(), "queue_empty"), "report.html"),
        "hostile/report.html": html_report(hostile_report()),
        "hostile/live.html": live_page(state_of(hostile_report())),
        "empty/report.html": html_report(empty_report()),
    }
    for name, content in pages.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode("utf-8", "replace"))


def _notes() -> Iterator[SemanticChunk]:
    """More documents than one page lists, and more hits than one page shows."""
    for number in range(12):
        yield _chunk(1_000 + number, f"note-{number}", f"Note {number}: rotate the tyres, {number}.", "Notes")


def _long() -> Iterator[SemanticChunk]:
    """A document of two stretches, with what is wider than a phone."""
    texts: Sequence[str] = (
        f"```\n{'wide code ' * 40}\n```",
        f"{'An unbroken word: ' * 3}{'0123456789abcdef' * 40}",
        "| setting | default | what it says |\n|---|---|---|\n"
        + "| `A_LONG_NAME` | 10 | seconds of it |\n" * 3,
        "# A heading\n\n- one\n- two\n\n> quoted\n\n![a picture](https://docs.example/a.png)",
    )
    for number in range(45):
        text = texts[number % len(texts)]
        yield replace(_chunk(2_000 + number, "long", text, "Reference"), position=number)


def _chunk(number: int, document: str, text: str, heading: str) -> SemanticChunk:
    url = f"https://{document.partition('-')[0]}.example/{document}"
    return replace(
        handbook()[0],
        id=str(UUID(int=number)),
        chunk_id=f"{document}_{number}",
        document_id=document,
        document_title=f"About {document}",
        content=text,
        content_hash=f"hash {number}",
        embed_text=text,
        section_path=("Guide", heading),
        source_url=url,
        chunk_link=f"{url}#{heading.lower()}",
        prev_chunk_id="",
        next_chunk_id="",
        position=0,
    )


def _leave_runs(output: Path) -> None:
    left(output, _SHORT_RUN, whole())
    run = left(output, _RUN, whole())
    run.report_markdown.write_text(report_markdown(read_run(run)), "utf-8")
    run.report_html.write_text(run_page(read_run(run)), "utf-8")
