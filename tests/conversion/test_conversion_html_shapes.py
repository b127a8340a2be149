"""Formulas and pictures as sites and generators write them, each with its Markdown, in `html_shapes/`."""

from pathlib import Path

import pytest

from ragcrawler.conversion import ConversionLimits
from ragcrawler.conversion.html import convert_html

FOLDER = Path(__file__).parent / "html_shapes"


def shapes(name: str) -> list[tuple[str, str, str]]:
    """(what it is, page, Markdown); they stand between lines with a dot."""
    parts = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n.\n")
    rows = zip(parts[::3], parts[1::3], parts[2::3], strict=False)
    return [(title.strip(), page, f"{markdown}\n") for title, page, markdown in rows]


@pytest.mark.parametrize("shape", [*shapes("formulas"), *shapes("pictures")], ids=lambda shape: shape[0])
def test_the_shape_becomes_its_markdown(shape: tuple[str, str, str]) -> None:
    _, page, markdown = shape
    url = "https://docs.example/guide/page.html"
    assert convert_html(page, url, ConversionLimits(), is_whole=True).markdown == markdown


def test_there_are_thirty_shapes_of_formulas_and_twenty_five_of_pictures() -> None:
    assert len(shapes("formulas")) >= 30
    assert len(shapes("pictures")) >= 25
