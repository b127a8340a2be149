"""docling's PDF models beside the text layer: which reads better, and what it costs.

    DOCLING_ARTIFACTS_PATH=models/docling uv run --extra pdf python benchmarks/conversion_pdf_docling.py PAGES

PAGES, `--folder` and `--only` are as in conversion_pdf_makers.py, for the makers see there. Prints
CPU milliseconds a document and, by layout and by maker, how much of words, order, paragraphs and tables each
reader kept, with paired 95 % intervals. Ends with 2 where the variable names no folder of weights, and with 1
where docling could read no document.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from pdf_makers.comparison import Reader, Row, compare, report
from pdf_makers.layout import Layout, layouts, paragraphs
from pdf_makers.readers import by_conversion
from pdf_makers.score import Extracted

from ragcrawler.conversion import ConversionLimits
from ragcrawler.conversion.pdf_options import PdfOptions

VARIABLE = "DOCLING_ARTIFACTS_PATH"
FEWEST_PARAGRAPHS = 500


class Timed:
    """A reader that knows what it cost."""

    def __init__(self, read: Reader) -> None:
        self._read = read
        self.seconds: list[float] = []

    def __call__(self, path: Path) -> Callable[[Layout], Extracted]:
        start = time.process_time()
        read = self._read(path)
        self.seconds.append(time.process_time() - start)
        return read


def compare_readers(
    folder: Path, halves: Mapping[str, Sequence[Layout]], readers: Mapping[str, Reader], only: str = ""
) -> list[Row]:
    """Compare, and print scores and costs."""
    timed = {name: Timed(read) for name, read in readers.items()}
    found = list(compare(folder, halves, timed, only))
    report(found)
    for name, reader in timed.items():
        first, *rest = reader.seconds or [0.0]
        each = 1000 * sum(rest) / max(len(rest), 1)
        print(f"{name}: {each:.0f} CPU ms a document, {1000 * first:.0f} for the first, its models with it")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", type=Path)
    parser.add_argument("--folder", type=Path, help="where the PDFs and the Markdown are kept")
    parser.add_argument("--only", default="", help="part of MAKER-LAYOUT")
    arguments = parser.parse_args()
    weights = os.environ.get(VARIABLE, "")
    if not Path(weights).is_dir() or not weights:
        sys.stderr.write(f"{VARIABLE} = {weights!r} is no folder of docling's weights: nothing to compare\n")
        sys.exit(2)
    texts = paragraphs(arguments.pages)
    if len(texts) < FEWEST_PARAGRAPHS:
        needed = f"{FEWEST_PARAGRAPHS} are needed"
        parser.error(f"{arguments.pages} holds {len(texts)} paragraphs of plain characters; {needed}")
    limits = ConversionLimits(pdf=PdfOptions(artifacts_path=weights))
    readers = {
        "text layer": by_conversion,
        "docling": partial(by_conversion, limits=limits, suffix=".docling.md"),
    }
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.folder or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        found = compare_readers(folder, layouts(texts), readers, arguments.only)
    if not any(row.value("docling", "words") for row in found):
        sys.stderr.write(
            f"docling read no document, so nothing was compared: are the weights in {weights} whole? "
            f"`{VARIABLE}={weights} scrapy convert FILE.pdf` says what is missing\n"
        )
        sys.exit(1)


if __name__ == "__main__":
    main()
