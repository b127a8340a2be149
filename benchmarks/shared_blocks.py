"""Show what the pages of a site share, and what their chunks would go without.

    uv run python benchmarks/shared_blocks.py FOLDER [--share 0.5] [--pages 500]

Converts the HTML pages of a folder, counts their blocks as the end of a crawl does, and prints each block
that is boilerplate with the number of pages that lose it, to be judged by eye; then the characters and the
CPU time.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ragcrawler.chunking import leave_out
from ragcrawler.chunking.block_counts import BlockCounts
from ragcrawler.chunking.parsing.markdown_blocks import list_markdown_blocks
from ragcrawler.conversion import ConversionError, convert

_SHOWN_CHARACTERS = 100


def read(folder: Path, pages: int) -> dict[str, str]:
    """Path -> Markdown, of pages that can be converted."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*.html"))[:pages]:
        try:
            found[str(path)] = convert(path.read_bytes(), "text/html", f"https://a.example/{path}").markdown
        except ConversionError as error:
            print(f"left out: {error}")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Convert, count, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--share", type=float, default=0.5)
    parser.add_argument("--pages", type=int, default=500)
    given = parser.parse_args(arguments)
    pages = read(given.folder, given.pages)
    began = time.process_time()
    counts = BlockCounts(given.share, {})
    for name, markdown in pages.items():
        counts.add(name, markdown)
    shared = counts.shared()
    left_out: Counter[str] = Counter()
    characters = 0
    for name, markdown in pages.items():
        reduced = leave_out(markdown, {block for block, keeper in shared.items() if keeper != name})
        characters += reduced.characters
        kept = Counter(block.text for block in list_markdown_blocks(reduced.text))
        left_out.update(set(Counter(block.text for block in list_markdown_blocks(markdown)) - kept))
    seconds = time.process_time() - began
    for text, count in left_out.most_common(30):
        print(f"{count:6d}  {' '.join(text.split())[:_SHOWN_CHARACTERS]}")
    total = sum(map(len, pages.values()))
    print(f"{len(pages)} pages, {len(shared)} blocks shared, {characters} of {total} characters left out")
    print(f"{seconds:.2f} CPU seconds to count and to leave out")


if __name__ == "__main__":
    main()
