"""Render inline elements: emphasis, code, links, pictures, line breaks."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from lxml import html

from ragcrawler.conversion.html.escape import escape_text
from ragcrawler.conversion.html.picture_source import picture_source
from ragcrawler.conversion.html.sentinels import LINE_BREAK
from ragcrawler.conversion.html.tags import INVISIBLE
from ragcrawler.items import split_label

if TYPE_CHECKING:
    from ragcrawler.conversion.html.renderer import Renderer

_SPACES = re.compile(r"\s+")
_BACKTICKS = re.compile(r"`+")
_SEPARABLE = ("span", "a", "time", "label", "bdi")
_EXPONENT = re.compile(r"[+\u2212-]?\d+|[nxyk]")
_NO_DESCRIPTIONS = ("Refer to caption", "[Uncaptioned image]")  # of LaTeXML
_PIXEL = ("0", "1", "0px", "1px")


def render_inline(renderer: "Renderer", element: html.HtmlElement, *, whole: bool = False) -> str:
    """An element's content as one line of Markdown; with its own markup where `whole` is set."""
    if whole:
        construct = _CONSTRUCTS.get(element.tag)
        if construct is not None:
            return construct(renderer, element)
    parts = [escape_text(element.text)] if element.text else []
    for child in element:
        if child.tag not in INVISIBLE:
            if stands_apart(child):
                parts.append(" ")
            parts.append(render_inline(renderer, child, whole=True))
        if child.tail:
            parts.append(escape_text(child.tail))
    return "".join(parts)


def stands_apart(element: html.HtmlElement) -> bool:
    """Whether two words meet where an element begins that style sheets keep apart, as in a byline."""
    before = element.getprevious()
    if before is None or before.tail or element.tag not in _SEPARABLE or before.tag not in _SEPARABLE:
        return False
    last, first = before.text_content()[-1:], element.text_content()[:1]
    # Two lower-case letters may as well be one word, half of it coloured.
    return bool(last.isalnum() and first.isalnum() and not (last.islower() and first.islower()))


def code_span(text: str) -> str:
    """A code span whose fence is longer than any run of backticks in it."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _wrap(mark: str) -> Callable[["Renderer", html.HtmlElement], str]:
    def render(renderer: "Renderer", element: html.HtmlElement) -> str:
        inner = render_inline(renderer, element)
        text = inner.strip()
        if not text or mark in text or LINE_BREAK in text:
            return inner
        before = " " if inner[0].isspace() else ""
        after = " " if inner[-1].isspace() else ""
        # Marks between a letter and a sign would neither open nor close (CommonMark's flanking rule).
        opens = before or text[0].isalnum() or not _text_before(element)[-1:].isalnum()
        closes = after or text[-1].isalnum() or not (element.tail or "")[:1].isalnum()
        return f"{before}{mark}{text}{mark}{after}" if opens and closes else inner

    return render


def _text_before(element: html.HtmlElement) -> str:
    before = element.getprevious()
    if before is not None:
        return before.tail or ""
    parent = element.getparent()
    return (parent.text or "") if parent is not None else ""


def _code(_renderer: "Renderer", element: html.HtmlElement) -> str:
    text = _SPACES.sub(" ", element.text_content())
    stripped = text.strip()
    if not stripped:
        return text
    return f"{text[: len(text) - len(text.lstrip())]}{code_span(stripped)}{text[len(text.rstrip()) :]}"


def _link(renderer: "Renderer", element: html.HtmlElement) -> str:
    inner = render_inline(renderer, element).replace(LINE_BREAK, " ")
    text = " ".join(inner.split())
    address = element.get("href", "").strip()
    if address.startswith("#") and not "".join(element.itertext()).strip():
        return text
    if not text or not address or address.lower().startswith(("javascript:", "data:")):
        return inner
    before = " " if inner[0].isspace() else ""
    after = " " if inner[-1].isspace() else ""
    if text.count("[") != text.count("]"):
        text = text.replace("[", "\\[").replace("]", "\\]")
    text, rest = split_label(text)
    if rest:
        # Mostly the end of the link was forgotten: what follows is text of the page.
        renderer.cut.add("link_text")
        after = f" {rest}{after}"
    return f"{before}[{text}]({_target(renderer.absolute(address))}){after}"


def _target(address: str) -> str:
    if any(character in address for character in " ()<>\n"):
        return "<" + address.replace("\n", "").replace("<", "%3C").replace(">", "%3E") + ">"
    return address


def _picture(renderer: "Renderer", element: html.HtmlElement) -> str:
    if element.get("width") in _PIXEL or element.get("height") in _PIXEL:
        return ""
    address = picture_source(element)
    said = element.get("alt") or element.get("aria-label") or element.get("title") or ""
    description = "" if said in _NO_DESCRIPTIONS else " ".join(said.split())
    if not address:
        return escape_text(description)
    description = description.replace("[", "\\[").replace("]", "\\]")
    return f"![{description}]({_target(renderer.absolute(address))})"


def _line_break(_renderer: "Renderer", _element: html.HtmlElement) -> str:
    return LINE_BREAK


def _superscript(renderer: "Renderer", element: html.HtmlElement) -> str:
    """`x^2` where the raised text is an exponent; "1st" stays a word."""
    inner = render_inline(renderer, element)
    return f"^{inner}" if _EXPONENT.fullmatch(inner) else inner


def _quotation(renderer: "Renderer", element: html.HtmlElement) -> str:
    return f"\u201c{render_inline(renderer, element)}\u201d"


def _ruby_text(renderer: "Renderer", element: html.HtmlElement) -> str:
    return f"({render_inline(renderer, element)})"


def _nothing(_renderer: "Renderer", _element: html.HtmlElement) -> str:
    return ""


def _formula(_renderer: "Renderer", element: html.HtmlElement) -> str:
    return f"${element.text}$" if element.text else ""


def _footnote_reference(_renderer: "Renderer", element: html.HtmlElement) -> str:
    return f"[^{element.text}]"


_CONSTRUCTS: dict[str, Callable[["Renderer", html.HtmlElement], str]] = {
    "a": _link,
    "b": _wrap("**"),
    "strong": _wrap("**"),
    "i": _wrap("*"),
    "em": _wrap("*"),
    "s": _wrap("~~"),
    "del": _wrap("~~"),
    "strike": _wrap("~~"),
    "code": _code,
    "tt": _code,
    "kbd": _code,
    "samp": _code,
    "br": _line_break,
    "img": _picture,
    "sup": _superscript,
    "q": _quotation,
    "rp": _nothing,
    "rt": _ruby_text,
    "tex-inline": _formula,
    "footnote-reference": _footnote_reference,
}
