"""The cost of converting a page of PDF: `python benchmarks/conversion_pdf.py FOLDER [--html HTML_FOLDER]`.

Converts every PDF in a folder by the text layer and by pdfplumber (plain text and tables), in one run, and
prints CPU milliseconds a page and the ratio of the two. With `--html`, a PDF and a page of the same name
(`manual.pdf`, `manual.html`, or a folder `manual/` of pages) are converted and compared: the F1 of their
shingles of five words.
"""

import argparse
import re
import resource
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from ragcrawler.conversion import ConversionError, convert

SHINGLE_WORDS = 5


def cpu_seconds() -> float:
    measured = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in measured)


def by_text_layer(path: Path) -> int:
    url = f"https://docs.example.org/{path.name}"
    return convert(path.read_bytes(), "application/pdf", url).metadata.pages


def by_pdfplumber(path: Path) -> int:
    import pdfplumber

    with pdfplumber.open(path) as document:
        for page in document.pages:
            page.extract_text()
            page.extract_tables()
        return len(document.pages)


def milliseconds_a_page(convert_file: Callable[[Path], int], paths: list[Path]) -> float:
    convert_file(paths[0])  # imports are not what is measured
    start, pages = cpu_seconds(), 0
    for path in paths:
        try:
            pages += convert_file(path)
        except ConversionError as error:
            print(f"{path.name}: {error.reason}: {error}")
    return 1000 * (cpu_seconds() - start) / max(pages, 1)


def shingles(markdown: str) -> Counter[tuple[str, ...]]:
    text = re.sub(r"\]\([^)\s]*\)", "]", markdown)  # where links lead is no text
    words = re.findall(r"\w+", text.casefold())
    return Counter(zip(*(words[start:] for start in range(SHINGLE_WORDS)), strict=False))


def html_of(folder: Path, name: str) -> str:
    pages = sorted((folder / name).glob("*.html")) or [folder / f"{name}.html"]
    texts = (
        convert(page.read_bytes(), "text/html", f"https://docs.example.org/{page.name}") for page in pages
    )
    return "\n".join(text.markdown for text in texts)


def compare(pdf: Path, folder: Path) -> None:
    printed = shingles(convert(pdf.read_bytes(), "application/pdf", "https://docs.example.org/x").markdown)
    shown = shingles(html_of(folder, pdf.stem))
    shared = (printed & shown).total()
    f1 = 2 * shared / max(printed.total() + shown.total(), 1)
    print(f"{pdf.stem}: shingle F1 {f1:.3f} ({printed.total()} in the PDF, {shown.total()} in the HTML)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--html", type=Path)
    arguments = parser.parse_args()
    paths = sorted(arguments.folder.glob("*.pdf"))
    if not paths:
        parser.error(f"no PDF in {arguments.folder}")
    if arguments.html:
        for path in paths:
            compare(path, arguments.html)
        return
    ours = milliseconds_a_page(by_text_layer, paths)
    theirs = milliseconds_a_page(by_pdfplumber, paths)
    print(f"text layer {ours:.1f} ms a page, pdfplumber {theirs:.1f} ms a page, ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
