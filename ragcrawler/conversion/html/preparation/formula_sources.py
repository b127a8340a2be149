"""Formulas as TeX source that a script of the page, or a server's picture, renders."""

from collections.abc import Iterator
from typing import NamedTuple

from lxml import html


class FormulaSource(NamedTuple):
    """An element that stands for a formula.

    Attributes:
        element: to be replaced.
        tex: without its delimiters.
        is_display: whether it stands in a line of its own.
    """

    element: html.HtmlElement
    tex: str
    is_display: bool


_PICTURES = {"tex", "latex", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display"}


def list_formula_sources(body: html.HtmlElement) -> list[FormulaSource]:
    """Those of Pandoc, GitLab and Distill; and pictures of formulas, whose alternative text is the source."""
    found = [*_pandoc(body), *_gitlab(body), *_distill(body), *_pictures(body)]
    return [source for source in found if source.tex]


def _pandoc(body: html.HtmlElement) -> Iterator[FormulaSource]:
    """`<span class="math inline">x^2</span>`, as Pandoc writes it for KaTeX."""
    for element in body.iter("span"):
        classes = element.get("class", "").split()
        if "math" in classes and len(element) == 0 and not {"inline", "display"}.isdisjoint(classes):
            yield FormulaSource(element, _bare(element.text or ""), "display" in classes)


def _gitlab(body: html.HtmlElement) -> Iterator[FormulaSource]:
    for element in body.xpath(".//*[@data-math-style]"):
        is_display = element.get("data-math-style") == "display"
        yield FormulaSource(element, _bare(element.text_content()), is_display)


def _distill(body: html.HtmlElement) -> Iterator[FormulaSource]:
    for element in body.iter("d-math"):
        yield FormulaSource(element, _bare(element.text_content()), element.get("block") is not None)


def _pictures(body: html.HtmlElement) -> Iterator[FormulaSource]:
    for element in body.iter("img"):
        classes = set(element.get("class", "").split())
        if not classes.isdisjoint(_PICTURES):
            is_display = "mwe-math-fallback-image-display" in classes
            yield FormulaSource(element, _bare(element.get("alt", "")), is_display)


def _bare(tex: str) -> str:
    """The source without dollar signs around it."""
    tex = tex.strip()
    for mark in ("$$", "$"):
        if len(tex) > 2 * len(mark) and tex.startswith(mark) and tex.endswith(mark):
            return tex[len(mark) : -len(mark)]
    return tex
