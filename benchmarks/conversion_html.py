"""The cost and the quality of converting HTML: `python benchmarks/conversion_html.py FOLDER [--limit N]`.

FOLDER holds `*.html` files, the pages of any documentation package, say. CPU is compared with trafilatura's
alone on the same pages in the same run; structure with what stands in the whole page, navigation included, so
that 100 % of headings, tables and code blocks is an upper bound.
"""

import argparse
import logging
import time
from collections import Counter
from pathlib import Path

from lxml import html
from markdown_it import MarkdownIt

from ragcrawler.conversion import ConversionError, convert

_PARSER = MarkdownIt("commonmark").enable("table")


def markdown_structure(markdown: str) -> Counter[str]:
    kinds = {"fence": "code blocks", "table_open": "tables", "heading_open": "headings"}
    return Counter(kinds[token.type] for token in _PARSER.parse(markdown) if token.type in kinds)


def page_structure(page: str) -> Counter[str]:
    root = html.document_fromstring(page)
    headings = [
        element for element in root.iter("h1", "h2", "h3", "h4", "h5", "h6") if element.text_content().strip()
    ]
    tables = [table for table in root.iter("table") if len(table.findall(".//tr")) > 1]
    return Counter(
        {"headings": len(headings), "tables": len(tables), "code blocks": len(list(root.iter("pre")))}
    )


def extract(page: str) -> None:
    import trafilatura

    trafilatura.extract(page, output_format="markdown", include_comments=False, include_links=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=100)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    files = sorted(options.folder.rglob("*.html"))[: options.limit]
    pages = [file.read_text(encoding="utf-8", errors="replace") for file in files]
    pages = [page for page in pages if page.strip()]
    ways: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    there: Counter[str] = Counter()
    seconds = {"convert": 0.0, "trafilatura": 0.0}
    extract(pages[0])
    for page in pages:
        start = time.process_time()
        extract(page)
        middle = time.process_time()
        try:
            converted = convert(page.encode(), "text/html; charset=utf-8", "https://pages.example/page.html")
        except ConversionError as error:
            ways[f"error: {error.reason}"] += 1
            continue
        finally:
            seconds["convert"] += time.process_time() - middle
            seconds["trafilatura"] += middle - start
        ways[converted.metadata.converter] += 1
        kept += markdown_structure(converted.markdown)
        there += page_structure(page)
    each = {name: 1000 * total / len(pages) for name, total in seconds.items()}
    print(f"{len(pages)} pages, {dict(ways)}")
    print(f"CPU a page: convert {each['convert']:.1f} ms, trafilatura {each['trafilatura']:.1f} ms")
    print(f"ratio: {each['convert'] / each['trafilatura']:.2f}")
    for kind, count in there.items():
        print(f"{kind}: {kept[kind]} of {count} in the whole pages")


if __name__ == "__main__":
    main()
