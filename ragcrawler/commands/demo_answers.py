"""What the demo prints."""

import json
import shlex
from pathlib import Path
from typing import Any

_HITS = 2
_SNIPPET_CHARACTERS = 240


def print_answers(retriever: Any, questions: Path) -> bool:
    """Ask each question and print the best passages; whether all of them had an answer."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console()
    answered = True
    for question in json.loads(questions.read_text(encoding="utf-8")):
        console.print(Text(f"\n{question['question']}", style="bold"))
        hits = retriever.search(question["question"], _HITS)
        answered = answered and bool(hits)
        for number, (chunk, score) in enumerate(hits, 1):
            path = " > ".join(chunk.section_path) or chunk.document_title
            console.print(Text(f"  {number}. {path}", style="cyan").append(f"  ({score:.3f})", style="dim"))
            console.print(Padding(Text(_snippet(chunk.content)), (0, 0, 0, 5)))
            console.print(Text(f"     {chunk.chunk_link}", style="blue"), soft_wrap=True)
    return answered


def print_places(crawler: Any, output: str) -> None:
    """Say what the crawl did, and where to look on."""
    from rich.console import Console
    from rich.text import Text

    from ragcrawler.run.crawl_run import CrawlRun

    run = CrawlRun.of(crawler)
    pages = run.ledger.counts()
    console = Console()
    console.print()
    console.print(
        f"{pages.seen} URLs seen: {pages.fetched} fetched, {sum(pages.skipped.values())} skipped, "
        f"{sum(pages.failed.values())} failed; {run.points} chunks in the collection."
    )
    for name, place in (
        ("feed", run.folder.documents),
        ("report", run.folder.report_markdown),
        ("collection", run.configuration.collection_place),
    ):
        console.print(Text(f"  {name:<11}").append(str(place), style="bold"), soft_wrap=True)
    command = f"uv run scrapy search {shlex.quote('your question')} -s OUTPUT_DIR={output}"
    console.print(Text("Ask on:     ").append(command, style="bold"), soft_wrap=True)
    console.print("(The links work while the site is served; it has stopped with the crawl.)", style="dim")


def _snippet(content: str) -> str:
    text = " ".join(content.split())
    return text if len(text) <= _SNIPPET_CHARACTERS else text[:_SNIPPET_CHARACTERS].rsplit(" ", 1)[0] + " ..."
