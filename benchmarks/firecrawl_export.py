"""Writes what a crawl stored in the shape of FireCrawl's exports.

    python benchmarks/firecrawl_export.py output/runs/.../documents.jsonl export.json [--broken 0.01]

Each page gets the frame that FireCrawl's Markdown has: logo, menu and footer. `--broken` puts broken records
between them, that many for each page, and prints their indices, which count from 0.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

HEAD = (
    "[![Logo](/logo.png)DOCS](/docs)\n\n*   [Start](/docs/start)\n    \n*   Products\n\n"
    "Search docs...\n\nK\n\n"
)
FOOT = "\n\n* * *\n\n[© Example Inc](/about)\n—[Contributing](/contributing)[Privacy](/privacy)\n"
_BROKEN: tuple[Any, ...] = (
    {"markdown": "# A page\n\nWithout metadata."},
    {"markdown": "# A page\n\nWithout an address.", "metadata": {"title": "A page"}},
    {"markdown": " \n", "content": "", "metadata": {"sourceURL": "https://example.org/empty"}},
    "no object",
    {"markdown": "# A page\n\nOf a wrong address.", "metadata": {"sourceURL": "::"}},
)


def exported_page(document: dict[str, Any]) -> dict[str, Any]:
    """The record of a page as the feed of a crawl has it."""
    markdown = HEAD + document["markdown"].strip("\n") + FOOT
    metadata = {
        "title": document["title"],
        "description": document["metadata"]["description"],
        "language": document["language"],
        "sourceURL": document["url"],
        "pageStatusCode": 200,
        "ogLocaleAlternate": [],
    }
    return {"content": markdown, "markdown": markdown, "metadata": metadata, "linksOnPage": []}


def write_export(path: Path, documents: Iterable[dict[str, Any]], every: int = 0) -> list[int]:
    """Write an export of such documents.

    Args:
        path: of the export.
        documents: as the feed has them.
        every: so many pages a broken record comes between; 0 for none.

    Returns:
        the indices of the broken records.
    """
    records = list(_with_broken(map(exported_page, documents), every))
    broken = [index for index, (_, is_broken) in enumerate(records) if is_broken]
    head = {"base_url": "https://example.org/", "timestamp": "2024-08-30T07:30:45.664429"}
    path.write_text(json.dumps({**head, "data": [record for record, _ in records]}), encoding="utf-8")
    return broken


def _with_broken(pages: Iterable[dict[str, Any]], every: int) -> Iterator[tuple[Any, bool]]:
    count = 0
    for number, page in enumerate(pages, start=1):
        yield page, False
        if every and number % every == 0:
            yield _BROKEN[count % len(_BROKEN)], True
            count += 1


def read_feed(path: Path) -> list[dict[str, Any]]:
    """The documents of a feed."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("feed", type=Path)
    parser.add_argument("export", type=Path)
    parser.add_argument("--broken", type=float, default=0.0)
    options = parser.parse_args()
    every = round(1 / options.broken) if options.broken else 0
    print("broken:", write_export(options.export, read_feed(options.feed), every))


if __name__ == "__main__":
    main()
