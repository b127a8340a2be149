"""Formulas as TeX source that a script of the page, or a server's picture, renders."""

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, unquote, urlsplit

from lxml import html

from ragcrawler.conversion.html.attributes import with_attribute
from ragcrawler.conversion.html.preparation.formulas.source import FormulaSource, bare

_DELIMITED = (" math ", " arithmatex ", " math-container ", "mathjax-tex", "formulaDsp")
_DISPLAY_SIGNS = ("\\[", "$$", "\\begin{")
_SIGNS = {"\\[": "\\]", "\\(": "\\)", "$$": "$$", "$": "$", "\\begin{": "}"}
_PICTURE_CLASSES = """
tex latex math mathtex equation_image mwe-math-fallback-image-inline mwe-math-fallback-image-display
formulaDsp formulaInl
"""
_PICTURES = frozenset(_PICTURE_CLASSES.split())
_DISPLAY_PICTURES = frozenset(("mwe-math-fallback-image-display", "formulaDsp"))
_LOOKS_LIKE_TEX = re.compile(r"\\[A-Za-z]|[\^_=]|^\S{1,3}$")
_SERVERS = re.compile(
    r"//(?:latex\.codecogs\.com/|chart\.(?:googleapis|google)\.com/chart\?|[\w.]+\.wp\.com/latex\.php\?"
    r"|www\.zhihu\.com/equation\?|math\.now\.sh/?\?|render\.githubusercontent\.com/render/math\?)"
)
_SOURCE_PARAMETERS = ("latex", "chl", "tex", "from", "math")
_RENDERER_SETTINGS = re.compile(
    r"\\(?:dpi\{\d+\}|bg_\w+|fg_\w+|(?:inline|large|huge|small|tiny)(?![A-Za-z]))\s*"
)


def list_formula_sources(body: html.HtmlElement) -> list[FormulaSource]:
    """Those of generators and sites; and pictures of formulas, whose description or address is the source."""
    classed = [
        element
        for element in with_attribute(body, "class")
        if "math" in element.get("class", "") or "formulaDsp" in element.get("class", "")
    ]
    found = [
        *_delimited(body, classed),
        *_pandoc(classed),
        *_gitlab(body),
        *_distill(body),
        *_mathjax(body),
        *_pictures(body),
    ]
    return [source for source in found if source.tex.strip()]


def _delimited(body: html.HtmlElement, classed: list[html.HtmlElement]) -> Iterator[FormulaSource]:
    r"""Elements whose class says that they hold `\(...\)`, `\[...\]` or dollars: Sphinx, MkDocs, Springer."""
    named = [each for each in classed if any(name in f" {each.get('class', '')} " for name in _DELIMITED)]
    for element in dict.fromkeys([*named, *body.iter("math-renderer")]):
        number = _take_number(element)
        text = element.text_content().strip()
        signs = next((sign for sign in _SIGNS if text.startswith(sign) and text.endswith(_SIGNS[sign])), "")
        if signs and len(text) > 2 * len(signs):
            tex = text if signs == "\\begin{" else bare(text)
            yield FormulaSource(element, tex + number, signs in _DISPLAY_SIGNS)


def _take_number(element: html.HtmlElement) -> str:
    """Sphinx sets the number of an equation before it."""
    number = element.find("span[@class='eqno']")
    if number is None:
        return ""
    shown = number.text_content().strip(" ()¶#\uf0c1\n")
    number.drop_tree()
    return f" \\tag{{{shown}}}" if shown.isalnum() or shown.replace(".", "").isalnum() else ""


def _pandoc(classed: list[html.HtmlElement]) -> Iterator[FormulaSource]:
    """`<span class="math inline">x^2</span>`, as Pandoc writes it for KaTeX."""
    for element in classed:
        classes = element.get("class", "").split()
        if (
            element.tag == "span"
            and "math" in classes
            and len(element) == 0
            and not {"inline", "display"}.isdisjoint(classes)
        ):
            yield FormulaSource(element, bare(element.text or ""), "display" in classes)


def _gitlab(body: html.HtmlElement) -> Iterator[FormulaSource]:
    for element in with_attribute(body, "data-math-style"):
        is_display = element.get("data-math-style") == "display"
        yield FormulaSource(element, bare(element.text_content()), is_display)


def _distill(body: html.HtmlElement) -> Iterator[FormulaSource]:
    for element in body.iter("d-math"):
        yield FormulaSource(element, bare(element.text_content()), element.get("block") is not None)


def _mathjax(body: html.HtmlElement) -> Iterator[FormulaSource]:
    """A formula that MathJax 4 drew, without the MathML for readers of the screen."""
    for element in body.iter("mjx-container"):
        drawn = next(iter(element.xpath(".//*[@data-latex]")), None)
        if drawn is not None:
            yield FormulaSource(element, drawn.get("data-latex", ""), element.get("display") == "true")


def _pictures(body: html.HtmlElement) -> Iterator[FormulaSource]:
    for element in body.iter("img"):
        classes = set(element.get("class", "").split())
        tex = _of_server(element.get("src", ""))
        if not tex and not classes.isdisjoint(_PICTURES):
            tex = element.get("alt", "").strip()
            if "math" in classes and not _LOOKS_LIKE_TEX.search(tex):
                continue
        if tex:
            is_display = tex.startswith(("\\[", "$$")) or not classes.isdisjoint(_DISPLAY_PICTURES)
            yield FormulaSource(element, bare(tex), is_display or _is_alone(element))


def _is_alone(picture: html.HtmlElement) -> bool:
    """Sphinx sets a picture in a line of its own into `<div class="math">`."""
    parent = picture.getparent()
    around = parent.getparent() if parent is not None and parent.tag == "p" else parent
    return around is not None and around.tag == "div" and "math" in around.get("class", "").split()


def _of_server(address: str) -> str:
    """The source in the address of a picture that a server draws of it."""
    if not _SERVERS.search(address):
        return ""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return ""
    named = parse_qs(parts.query)
    tex = next((named[name][0] for name in _SOURCE_PARAMETERS if named.get(name)), "")
    return _RENDERER_SETTINGS.sub("", tex or unquote(parts.query)).strip()
