"""Readers of PDFs compared on documents of known text."""

import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from pdf_makers.drawn import PYTHON, cairo, reportlab
from pdf_makers.formatting_objects import fop
from pdf_makers.groff import groff
from pdf_makers.html_makers import chromium, weasyprint, wkhtmltopdf
from pdf_makers.latex import pdflatex
from pdf_makers.layout import Layout
from pdf_makers.libreoffice import libreoffice
from pdf_makers.score import MEASURES, Extracted, Score, score
from pdf_makers.typesetting import typst

Maker = Callable[[Layout, Path], bool]
Reader = Callable[[Path], Callable[[Layout], Extracted]]
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
    """What came of one document: the score of each reader, the first of which is compared with the others."""

    half: str
    layout: str
    maker: str
    scores: Mapping[str, Score]

    def value(self, reader: str, measure: str) -> float | None:
        value: float | None = getattr(self.scores[reader], measure)
        return value

    def lead(self, measure: str) -> float | None:
        """By how much the first reader is ahead of the best of the others."""
        ours, *others = (self.value(reader, measure) for reader in self.scores)
        return None if ours is None else ours - max(other for other in others if other is not None)


def is_installed(program: str) -> bool:
    if program in {"", "gi, cairo", "reportlab"}:
        command = [sys.executable if not program else PYTHON, "-c", f"import {program or 'typst'}"]
        return not subprocess.run(command, check=False, capture_output=True).returncode
    return shutil.which(program) is not None


def made(folder: Path, layout: Layout, maker: str) -> Path | None:
    path = folder / f"{maker}-{layout.name}.pdf"
    try:
        return path if path.exists() or MAKERS[maker][0](layout, path) else None
    except subprocess.SubprocessError as error:
        print(f"{maker} cannot make {layout.name}: {error}", file=sys.stderr)
        return None


def compare(
    folder: Path, halves: Mapping[str, Sequence[Layout]], readers: Mapping[str, Reader], only: str = ""
) -> Iterator[Row]:
    """Read each layout of each maker that is installed by all readers; the PDFs stay in `folder`."""
    makers = [maker for maker, (_, program) in MAKERS.items() if is_installed(program)]
    missing = [maker for maker in MAKERS if maker not in makers]
    print(f"makers: {', '.join(makers)}; missing: {', '.join(missing) or 'none'}")
    for half, layouts in halves.items():
        for layout in layouts:
            for maker in makers:
                path = made(folder, layout, maker) if only in f"{maker}-{layout.name}" else None
                if path is not None:
                    scores = {name: score(layout, read(path)(layout)) for name, read in readers.items()}
                    yield Row(half, layout.name, maker, scores)


def interval(values: Sequence[float]) -> str:
    """The mean and its 95 % interval."""
    chance = random.Random(1)
    means = sorted(mean(chance.choices(values, k=len(values))) for _ in range(RESAMPLES))
    low, high = means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]
    return f"{mean(values):+.3f} [{low:+.3f}, {high:+.3f}]"


def report(found: Sequence[Row]) -> None:
    """Print means by layout and maker, and paired differences, for each half."""
    for half in dict.fromkeys(row.half for row in found):
        chosen = [row for row in found if row.half == half]
        head = " | ".join(f"{measure:{6 * len(chosen[0].scores) - 1}s}" for measure in MEASURES)
        print(f"\n{half}: {', '.join(chosen[0].scores)}\n{'':34s} | {head}")
        for key in ("layout", "maker"):
            for name in dict.fromkeys(getattr(row, key) for row in chosen):
                print(_line(name, [row for row in chosen if getattr(row, key) == name]))
        print(_line("all", chosen))
        for measure in MEASURES:
            _print_lead(measure, chosen)


def _line(name: str, chosen: Sequence[Row]) -> str:
    parts = []
    for measure in MEASURES:
        each = []
        for reader in chosen[0].scores:
            values = [value for row in chosen if (value := row.value(reader, measure)) is not None]
            each.append(f"{mean(values):.3f}" if values else "  -  ")
        parts.append(" ".join(each))
    return f"{name:30s} {len(chosen):3d} | " + " | ".join(parts)


def _print_lead(measure: str, chosen: Sequence[Row]) -> None:
    first, *others = chosen[0].scores
    leads = [(row, lead) for row in chosen if (lead := row.lead(measure)) is not None]
    behind = ", ".join(f"{row.maker}-{row.layout} {lead:+.3f}" for row, lead in leads if lead < -0.005)
    if leads:
        ahead = interval([lead for _, lead in leads])
        print(f"{measure}: {first} ahead of the best of {', '.join(others)} by {ahead}")
        print(f"{measure}: behind in {behind or 'none'}")
