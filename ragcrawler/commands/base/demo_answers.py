"""Print the answers and places of the demo."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

_HITS = 2
_CONSOLE_SCRIPT = "ragcrawler"


def print_answers(retriever: Any, questions: Path) -> bool:
    """Ask each question and print the best passages; whether all of them had an answer."""
    from ragcrawler.retrieval.formatting.hit_lines import print_hits

    answered = True
    for entry in json.loads(questions.read_text(encoding="utf-8")):
        question = entry["question"]
        sys.stdout.write(f"\n=== {question}\n\n")
        hits = retriever.search(question, _HITS)
        print_hits(hits, question, sys.stdout)
        answered = answered and bool(hits)
    return answered


def print_places(crawler: Any, output: str) -> None:
    """Say what the crawl did, and where to look on."""
    from ragcrawler.run.crawl_frontier import frontier_of
    from ragcrawler.run.crawl_run import CrawlRun

    run = CrawlRun.of(crawler)
    pages = frontier_of(crawler).counts()
    program = _CONSOLE_SCRIPT if Path(sys.argv[0]).name == _CONSOLE_SCRIPT else "uv run scrapy"
    skipped, failed = sum(pages.skipped.values()), sum(pages.failed.values())
    sys.stdout.write(
        f"\n=== {pages.seen} URLs seen: {pages.fetched} fetched, {skipped} skipped, {failed} failed;"
        f" {run.points} chunks in the collection\n\n"
        f"feed        {run.folder.documents}\n"
        f"report      {run.folder.report_markdown}\n"
        f"to look at  {run.folder.report_html}\n"
        f"collection  {run.configuration.collection_place}\n\n"
        "The links above worked while the site was served, and ended with the crawl. Ask on with\n"
        f"  {program} search {shlex.quote('your question')} -s OUTPUT_DIR={shlex.quote(output)}\n"
    )
