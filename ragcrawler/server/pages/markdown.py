"""Markdown of strangers as HTML that cannot do anything but be read."""

from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import urljoin, urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from ragcrawler.retrieval.formatting.printable import printable
from ragcrawler.retrieval.formatting.terminal_lines import find_highlights

_MOST_CHARACTERS = 20_000
_DEEPEST = 20
_WEB = {"http", "https"}
# The page's own heading is above those of a text.
_HEADINGS = {"h1": "h2", "h2": "h3", "h3": "h4", "h4": "h5", "h5": "h6", "h6": "h6"}
LINK_RELATION = "noopener nofollow ugc"

_parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST}).enable(["table", "strikethrough"])


def markdown_html(text: str, *, base_url: str = "", wanted: Collection[str] = ()) -> Markup:
    """The text as HTML: markup of its own is shown as it is written, pictures as their description.

    Args:
        text: Markdown; what is behind 20,000 characters is left out.
        base_url: that relative links begin at.
        wanted: stems of words to mark.
    """
    tokens = markdown_tokens(text)
    for number, token in enumerate(tokens):
        if token.tag in _HEADINGS:
            token.tag = _HEADINGS[token.tag]
        if (
            token.type == "th_open" and not tokens[number + 1].content
        ):  # the head of a list of names and values
            token.tag = tokens[number + 2].tag = "td"
        if "style" in token.attrs:  # of a cell; the policy of the pages takes classes alone
            token.attrs = {"class": str(token.attrs["style"]).partition(":")[2]}
        _make_safe(token.children or (), base_url)
    renderer = _Renderer(frozenset(wanted))
    return Markup(renderer.render(tokens, _parser.options, {}))  # noqa: S704 - every text is escaped by the renderer


def markdown_tokens(text: str) -> list[Token]:
    """The blocks of a text, without control characters."""
    return _parser.parse(printable(text[:_MOST_CHARACTERS]))


def marked(text: str, wanted: Collection[str]) -> Markup:
    """The text, escaped, with the wanted words marked."""
    text = printable(text)  # once more: an entity (`&#x202e;`) is a character only now
    pieces, end = [], 0
    for start, stop in find_highlights(text, wanted):
        pieces += [escape(text[end:start]), Markup("<mark>"), escape(text[start:stop]), Markup("</mark>")]
        end = stop
    return Markup("").join([*pieces, escape(text[end:])])


def web_url(url: str, base_url: str = "") -> str:
    """The URL where it leads to a page of the web, else ""."""
    try:
        whole = urljoin(base_url, printable(url).strip())
        parts = urlsplit(whole)
    except ValueError:
        return ""
    return whole if parts.scheme in _WEB and parts.hostname else ""


class _Renderer(RendererHTML):
    """Escapes and marks texts; the rest is markdown-it's own."""

    def __init__(self, wanted: frozenset[str]) -> None:
        super().__init__()
        self._wanted = wanted

    def text(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return marked(tokens[idx].content, self._wanted)

    def code_inline(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return f"<code>{marked(tokens[idx].content, self._wanted)}</code>"

    def code_block(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return f'<pre tabindex="0"><code>{marked(tokens[idx].content, self._wanted)}</code></pre>\n'

    def fence(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return self.code_block(tokens, idx)

    def image(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        """The description alone: to load a picture would tell its site who reads."""
        return f'<span class="picture">{marked(tokens[idx].content or "picture", self._wanted)}</span>'

    def table_open(self, *_: Any) -> str:
        return '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n'

    def table_close(self, *_: Any) -> str:
        return "</table></div>\n"


def _make_safe(children: Sequence[Token], base_url: str) -> None:
    """Links lead to the web or nowhere."""
    opened: list[str] = []
    for token in children:
        if token.type == "link_open":
            url = web_url(str(token.attrs.get("href", "")), base_url)
            token.attrs = {"href": url, "rel": LINK_RELATION} if url else {}
            token.tag = "a" if url else "span"
            opened.append(token.tag)
        elif token.type == "link_close":
            token.tag = opened.pop() if opened else "span"
