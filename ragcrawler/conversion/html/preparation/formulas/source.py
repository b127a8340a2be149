"""A formula on a page, by its TeX source."""

import re
from typing import NamedTuple

from lxml import html

_WRAPPED_STYLE = re.compile(r"\{\s*\\(?:display|text)style\b\s*(.*)\}", re.DOTALL)
_STYLE = re.compile(r"\\(?:display|text)style\b\s*")
# kramdown hides its sources from XML.
_CDATA = re.compile(r"(?:%\s*)?<!\[CDATA\[|(?:%\s*)?\]\]>")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*(?:\n|$)")


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


def tidy_tex(tex: str) -> str:
    """The source as one line, without comments and the style that a server set around it."""
    tex = _COMMENT.sub(" ", _CDATA.sub("", tex)).strip()
    wrapped = _WRAPPED_STYLE.fullmatch(tex)
    if wrapped and _is_balanced(wrapped.group(1)):
        tex = wrapped.group(1)
    style = _STYLE.match(tex)
    return " ".join(tex[style.end() :].split() if style else tex.split())


def _is_balanced(tex: str) -> bool:
    """Whether no brace closes that was not opened."""
    depth = 0
    for sign in re.findall(r"\\.|[{}]", tex, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth < 0:
            return False
    return depth == 0


def bare(tex: str) -> str:
    """The source without the delimiters around it."""
    tex = tex.strip()
    for opening, closing in (("$$", "$$"), ("$", "$"), ("\\[", "\\]"), ("\\(", "\\)")):
        if len(tex) > len(opening + closing) and tex.startswith(opening) and tex.endswith(closing):
            return tex[len(opening) : -len(closing)]
    return tex
