r"""Formulas in running text, `\(...\)` and `\[...\]`, that a script of the page would draw."""

import re
from typing import Any

from lxml import etree, html

from ragcrawler.conversion.html.preparation.formulas.source import bare, tidy_tex

_NO_TEXT = frozenset(
    (
        "pre",
        "code",
        "script",
        "style",
        "textarea",
        "tt",
        "kbd",
        "samp",
        "xmp",
        "noscript",
        "svg",
        "tex-inline",
    )
)
_IGNORED = re.compile(r"(?<!\S)(?:tex2jax_ignore|mathjax_ignore|no-?mathjax)(?!\S)")
_RENDERERS = ("mathjax", "katex", "tex-mml", "tex-chtml", "tex-svg", "auto-render")
_BACKSLASHED = etree.XPath("descendant::text()[contains(., '\\')]")
_SIGNED = etree.XPath("descendant::text()[contains(., '\\') or contains(., '$')]")
_DOLLARS = re.compile(
    r"inlineMath\W{1,8}(?:\[[^\]]{0,40}\]\W{0,4}){0,3}\[?\s*['\"]\$['\"]|left\s*:\s*['\"]\$['\"]"
)
_MOST = 4_000
_BRACKETS = (
    rf"\\\((?P<inline>(?:(?!\\[()\[\]])[^\n]|\n(?!\s*\n)){{1,{_MOST}}}?)\\\)"
    rf"|\\\[(?P<block>(?:(?!\\[\[\]]).){{1,{_MOST}}}?)\\\]"
)
_DOUBLE = rf"|\$\$(?P<double>[^$]{{1,{_MOST}}})\$\$"
_ENVIRONMENT = (
    r"|(?P<environment>\\begin\{(?P<name>(?:equation|align|gather|eqnarray|multline)\*?)\}"
    rf"(?:(?!\\begin\{{|\\end\{{(?P=name)\}}).){{1,{_MOST}}}?\\end\{{(?P=name)\}})"
)
_SINGLE = r"|(?<![\\\w$])\$(?P<single>[^\s$](?:[^$\n]{0,400}[^\s$\\])?)\$(?![\w$])"
_ANYWHERE = re.compile(_BRACKETS, re.DOTALL)
_RENDERED = re.compile(_BRACKETS + _DOUBLE + _ENVIRONMENT, re.DOTALL)
_RENDERED_DOLLARS = re.compile(_BRACKETS + _DOUBLE + _ENVIRONMENT + _SINGLE, re.DOTALL)
# Without a script that draws formulas, `\(` may as well begin a group of a regular expression.
_IS_TEX = re.compile(r"\\[A-Za-z]{2,}|[_^]\{|[_^]\w\s*[=+<>-]|[A-Za-z]_\w\b")


def mark_delimited_text(body: html.HtmlElement) -> None:
    """Make them `tex-inline` and `tex-display` elements; dollars count where the page's script takes them."""
    text = body.text_content()
    if not any(sign in text for sign in ("\\(", "\\[", "$", "\\begin{")):
        return  # as on most pages: the walk through their elements is spared
    root = body.getroottree().getroot()
    scripts = [f"{script.get('src', '')} {(script.text or '')[:_MOST]}" for script in root.iter("script")]
    is_rendered = any(map(_names_renderer, scripts))
    pattern = _ANYWHERE
    if is_rendered:
        pattern = _RENDERED_DOLLARS if any(map(_DOLLARS.search, scripts)) else _RENDERED
    if not is_rendered and "\\(" not in text and "\\[" not in text:
        return
    for element in _readable(body, _SIGNED if is_rendered else _BACKSLASHED):
        _join_lines(element)
        _mark(element, pattern, is_rendered=is_rendered)


def _names_renderer(script: str) -> bool:
    script = script.lower()
    return any(name in script for name in _RENDERERS)


def _readable(body: html.HtmlElement, texts: etree.XPath) -> list[html.HtmlElement]:
    """Elements in whose text formulas are looked for: those around some of the page's texts."""
    known = {body: _is_read(body)}
    found: Any = texts(body)
    around = dict.fromkeys(
        text.getparent().getparent() if text.is_tail else text.getparent() for text in found
    )
    return [element for element in around if _is_inside_read(element, known)]


def _is_inside_read(element: html.HtmlElement, known: dict[html.HtmlElement, bool]) -> bool:
    passed = []
    while element not in known:
        passed.append(element)
        element = element.getparent()
    verdict = known[element]
    for inner in reversed(passed):
        verdict = known[inner] = verdict and _is_read(inner)
    return verdict


def _is_read(element: html.HtmlElement) -> bool:
    return element.tag not in _NO_TEXT and not _IGNORED.search(element.get("class", ""))


def _join_lines(element: html.HtmlElement) -> None:
    """A formula that is broken by `br` is one text again."""
    for line_break in element.findall("br"):
        before = line_break.getprevious()
        text = (element.text if before is None else before.tail) or ""
        opened = max(text.rfind("\\["), text.rfind("\\begin{"))
        is_open = opened > max(text.rfind("\\]"), text.rfind("\\end{"))
        if is_open and len(text) - opened < _MOST:
            text += "\n" + (line_break.tail or "")
            element.remove(line_break)
            if before is None:
                element.text = text
            else:
                before.tail = text


def _mark(element: html.HtmlElement, pattern: re.Pattern[str], *, is_rendered: bool) -> None:
    for child in [None, *element]:
        text = (element.text if child is None else child.tail) or ""
        pieces = _split(text, pattern, is_rendered=is_rendered)
        if len(pieces) == 1:
            continue
        before = child
        if before is None:
            element.text = pieces[0][1]
        else:
            before.tail = None
        for formula, tail in pieces[1:]:
            if formula is not None:
                formula.tail = tail
                _put_behind(before, formula, element)
                before = formula
        if child is not None:
            child.tail = pieces[0][1]


def _put_behind(before: html.HtmlElement | None, formula: html.HtmlElement, parent: html.HtmlElement) -> None:
    if before is None:
        parent.insert(0, formula)
        return
    tail, before.tail = before.tail, None
    before.addnext(formula)
    before.tail = tail


def _split(
    text: str, pattern: re.Pattern[str], *, is_rendered: bool
) -> list[tuple[html.HtmlElement | None, str]]:
    """The text before the first formula, then each formula with the text behind it."""
    pieces: list[tuple[html.HtmlElement | None, str]] = []
    formula, end = None, 0
    for found in pattern.finditer(text) if "\\" in text or "$" in text else ():
        if not is_rendered and not _IS_TEX.search(found.group()[2:-2]):
            continue
        pieces.append((formula, text[end : found.start()]))
        is_inline = found.lastgroup in ("inline", "single")
        formula = etree.Element("tex-inline" if is_inline else "tex-display")
        formula.text = tidy_tex(bare(found.group()))
        end = found.end()
    return [*pieces, (formula, text[end:])]
