"""How many different pages of a folder would be merged as near-duplicates: each pair is one text lost.

    python benchmarks/near_duplicates.py FOLDER... [--similarity 0.95] [--min-words 100]

Reads every HTML and Markdown file below the folders, a text that occurs twice once. Prints the time of a
fingerprint, the pairs that a crawl would merge, and those that word sequences alone would: what headings,
numbers, tables and code add to the comparison.
"""

import argparse
import itertools
import time
from pathlib import Path

from ragcrawler.catalogue.near_hash import FACTS_DIGITS, near_hash
from ragcrawler.catalogue.near_index import estimated_similarity
from ragcrawler.conversion import ConversionError, convert


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--similarity", type=float, default=0.95)
    parser.add_argument("--min-words", type=int, default=100)
    options = parser.parse_args()
    texts = read_texts(options.folders)
    begin = time.process_time()
    hashes = {path: near_hash(text, min_words=options.min_words) for text, path in texts.items()}
    milliseconds = 1000 * (time.process_time() - begin) / max(len(texts), 1)
    print(f"{len(texts)} different texts, {milliseconds:.1f} ms of CPU a fingerprint")
    alike = [
        (similarity, one, other)
        for one, other in itertools.combinations([path for path in hashes if hashes[path]], 2)
        if (similarity := estimated_similarity(hashes[one], hashes[other])) >= options.similarity
    ]
    merged = [pair for pair in alike if hashes[pair[1]][:FACTS_DIGITS] == hashes[pair[2]][:FACTS_DIGITS]]
    print(f"pairs merged: {len(merged)}; by word sequences alone: {len(alike)}")
    for similarity, one, other in sorted(alike, reverse=True)[:20]:
        print(
            f"{similarity:.3f} {'merged' if (similarity, one, other) in merged else 'kept  '} {one} {other}"
        )


def read_texts(folders: list[Path]) -> dict[str, Path]:
    texts: dict[str, Path] = {}
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        if path.suffix == ".md":
            texts.setdefault(path.read_text(encoding="utf-8", errors="replace"), path)
        elif path.suffix in {".html", ".htm"}:
            try:
                converted = convert(path.read_bytes(), "text/html", f"https://example.org/{path.name}")
            except ConversionError:
                continue
            texts.setdefault(converted.markdown, path)
    return texts


if __name__ == "__main__":
    main()
