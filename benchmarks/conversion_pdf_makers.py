"""PDFs of many makers and layouts, whose text is known, read by us, by pypdfium2 and by pdfplumber.

    uv run python benchmarks/conversion_pdf_makers.py PAGES [--folder F] [--half "mended by"] [--only NAME]

PAGES is a folder of HTML pages whose paragraphs make the documents: those of Debian's package
debian-handbook, say, unpacked by `dpkg -x`. Each layout is typeset by every maker that is installed; those
that are missing are named. On Debian the packages are texlive-latex-recommended, weasyprint, chromium,
wkhtmltopdf, libreoffice-writer-nogui, fop, groff, python3-reportlab, gir1.2-pango-1.0 and python3-gi-cairo;
typst comes with the development group. With `--folder` the PDFs are kept, and not made again; our Markdown
lies beside them.

By layout and by maker stands the mean of each measure for us, for the plain text of pypdfium2 and for
pdfplumber with its tables. How far we are ahead of the better of both has a 95 % interval from resamples of
documents.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from pdf_makers.drawn import PYTHON, cairo, reportlab
from pdf_makers.formatting_objects import fop
from pdf_makers.groff import groff
from pdf_makers.html_makers import chromium, weasyprint, wkhtmltopdf
from pdf_makers.latex import pdflatex
from pdf_makers.layout import Layout, layouts, paragraphs
from pdf_makers.libreoffice import libreoffice
from pdf_makers.score import MEASURES, Extracted, Score, of_lines, of_markdown, score
from pdf_makers.typesetting import typst

from ragcrawler.conversion import ConversionError, convert

Maker = Callable[[Layout, Path], bool]
RESAMPLES = 2_000
MAKERS: dict[str, tuple[Maker, str]] = {
    "pdflatex": (pdflatex, "pdflatex"),
    "typst": (typst, ""),
    "weasyprint": (weasyprint, "weasyprint"),
    "chromium": (chromium, "chromium"),
    "wkhtmltopdf": (wkhtmltopdf, "wkhtmltopdf"),
    "libreoffice": (libreoffice, "soffice"),
    "fop": (fop, "fop"),
    "groff": (groff, "groff"),
    "reportlab": (reportlab, "reportlab"),
    "cairo": (cairo, "gi, cairo"),
}


@dataclass(frozen=True)
class Row:
    """What came of one document: the score of each reader."""

    half: str
    layout: str
    maker: str
    scores: dict[str, Score]

    def value(self, reader: str, measure: str) -> float | None:
        value: float | None = getattr(self.scores[reader], measure)
        return value

    def lead(self, measure: str) -> float | None:
        """By how much we are ahead of the better of the others."""
        ours = self.value("ours", measure)
        others = [self.value(reader, measure) for reader in ("pypdfium2", "pdfplumber")]
        return None if ours is None else ours - max(other for other in others if other is not None)


def is_installed(program: str) -> bool:
    if program in {"", "gi, cairo", "reportlab"}:
        command = [sys.executable if not program else PYTHON, "-c", f"import {program or 'typst'}"]
        return not subprocess.run(command, check=False, capture_output=True).returncode
    return shutil.which(program) is not None


def by_us(path: Path) -> Callable[[Layout], Extracted]:
    try:
        markdown = convert(
            path.read_bytes(), "application/pdf", f"https://docs.example.org/{path.name}"
        ).markdown
    except ConversionError as error:
        print(f"{path.name}: {error.reason}: {error}", file=sys.stderr)
        markdown = ""
    path.with_suffix(".md").write_text(markdown, encoding="utf-8")
    return lambda _: of_markdown(markdown)


def by_pypdfium2(path: Path) -> Callable[[Layout], Extracted]:
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    return of_lines("\n\n".join(page.get_textpage().get_text_bounded() for page in document))


def by_pdfplumber(path: Path) -> Callable[[Layout], Extracted]:
    import pdfplumber

    with pdfplumber.open(path) as document:
        text = "\n\n".join(page.extract_text() or "" for page in document.pages)
        tables = [table for page in document.pages for table in page.extract_tables()]
    return of_lines(text, [[[cell or "" for cell in row] for row in table] for table in tables])


READERS = {"ours": by_us, "pypdfium2": by_pypdfium2, "pdfplumber": by_pdfplumber}


def made(folder: Path, layout: Layout, maker: str) -> Path | None:
    path = folder / f"{maker}-{layout.name}.pdf"
    try:
        return path if path.exists() or MAKERS[maker][0](layout, path) else None
    except subprocess.SubprocessError as error:
        print(f"{maker} cannot make {layout.name}: {error}", file=sys.stderr)
        return None


def rows(folder: Path, halves: dict[str, list[Layout]], only: str) -> Iterator[Row]:
    makers = [maker for maker, (_, program) in MAKERS.items() if is_installed(program)]
    missing = [maker for maker in MAKERS if maker not in makers]
    print(f"makers: {', '.join(makers)}; missing: {', '.join(missing) or 'none'}")
    for half, all_layouts in halves.items():
        for layout in all_layouts:
            for maker in makers:
                if only in f"{maker}-{layout.name}":
                    path = made(folder, layout, maker)
                    if path is not None:
                        scores = {name: score(layout, read(path)(layout)) for name, read in READERS.items()}
                        yield Row(half, layout.name, maker, scores)


def interval(values: Sequence[float]) -> str:
    chance = random.Random(1)
    means = sorted(mean(chance.choices(values, k=len(values))) for _ in range(RESAMPLES))
    low, high = means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]
    return f"{mean(values):+.3f} [{low:+.3f}, {high:+.3f}]"


def line(name: str, chosen: Sequence[Row]) -> str:
    parts = []
    for measure in MEASURES:
        each = []
        for reader in READERS:
            values = [value for row in chosen if (value := row.value(reader, measure)) is not None]
            each.append(f"{mean(values):.3f}" if values else "  -  ")
        parts.append(" ".join(each))
    return f"{name:30s} {len(chosen):3d} | " + " | ".join(parts)


def report(found: Sequence[Row]) -> None:
    head = " | ".join(f"{measure:17s}" for measure in MEASURES)
    for half in dict.fromkeys(row.half for row in found):
        chosen = [row for row in found if row.half == half]
        print(f"\n{half + ': ours, pypdfium2, pdfplumber':34s} | {head}")
        for key in ("layout", "maker"):
            for name in dict.fromkeys(getattr(row, key) for row in chosen):
                print(line(name, [row for row in chosen if getattr(row, key) == name]))
        print(line("all", chosen))
        for measure in MEASURES:
            leads = [lead for row in chosen if (lead := row.lead(measure)) is not None]
            behind = [row for row in chosen if (row.lead(measure) or 0) < -0.005]
            names = ", ".join(f"{row.maker}-{row.layout} {row.lead(measure):+.3f}" for row in behind)
            weak = [row for row in chosen if (row.value("ours", measure) or 1) < 0.97]
            weakest = ", ".join(f"{row.maker}-{row.layout} {row.value('ours', measure):.3f}" for row in weak)
            print(f"{measure}: ours below .97 in {len(weak)}: {weakest}")
            if leads:
                print(f"{measure}: ahead of the better of both by {interval(leads)}")
                print(f"{measure}: behind in {len(behind)}: {names}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", type=Path)
    parser.add_argument("--folder", type=Path, help="where the PDFs and our Markdown are kept")
    parser.add_argument("--half", choices=("mended by", "held back"))
    parser.add_argument("--only", default="", help="part of MAKER-LAYOUT")
    arguments = parser.parse_args()
    texts = paragraphs(arguments.pages)
    if len(texts) < 500:
        parser.error(
            f"{arguments.pages} holds {len(texts)} paragraphs of 150 to 600 plain characters; 500 are needed"
        )
    halves = {half: made for half, made in layouts(texts).items() if arguments.half in (None, half)}
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.folder or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        report(list(rows(folder, halves, arguments.only)))


if __name__ == "__main__":
    main()
