"""Soft 404: error pages that are sent with status 200."""

import json
import re
from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

from ragcrawler.frontier.states.protocol import Notes, key64

# What may be new on an error page: a time, a request's number.
_OWN_CHARACTERS = 40
_LOOKED_AT_BYTES = 2**17
_TITLE = re.compile(rb"<title[^>]*+>([^<]{0,300})", re.IGNORECASE)
_NOT_FOUND = re.compile(
    r"\b404\b|not found|not be found|page missing|n[o']t exist|no longer (?:exists|available)"
    r"|nicht gefunden|existiert nicht|introuvable|no encontrad|não encontrad|non trovat|niet gevonden"
    r"|не найден|找不到|見つかりません",
    re.IGNORECASE,
)
_HIDDEN = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(script|style|template)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(rb"<[^>]*+>?+")
# So many pages of one title make a site worth a question.
_SAME_TITLE = 5
_TITLES = "same_title"
_ANSWER = "missing_page"


class SoftNotFound:
    """Recognises error pages by what their site says to an unknown URL.

    A site is asked at most once, and only where its pages look alike.
    """

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    def is_answered(self, url: str) -> bool:
        """Whether it is known what the URL's site says."""
        return self._notes.get(_ANSWER, key64(_site(url))) is not None

    def suspects(self, url: str, markup: bytes) -> bool:
        """Count the page's title; whether its site should be asked now."""
        title = title_of(markup)
        if not title:
            return False
        count = self._notes.count(_TITLES, key64(f"{_site(url)} {title}"))
        return sounds_missing(title) or count == _SAME_TITLE

    def learn(self, url: str, answer: Mapping[str, str]) -> None:
        """Remember the text that a site gives for an unknown URL; empty where it answers honestly."""
        self._notes.put(_ANSWER, key64(_site(url)), json.dumps(dict(answer)))

    def is_missing(self, url: str, markup: bytes) -> bool:
        """Whether a page says no more than its site's answer."""
        answer = json.loads(self._notes.get(_ANSWER, key64(_site(url))) or "{}")
        return bool(answer) and says_nothing_else(text_pieces(markup, url), answer)


def title_of(markup: bytes) -> str:
    """A page's title in lower case, "" where it has none; bytes that are no UTF-8 are kept apart."""
    match = _TITLE.search(markup[:_LOOKED_AT_BYTES])
    return " ".join(match[1].decode("utf-8", "backslashreplace").split()).lower() if match else ""


def sounds_missing(title: str) -> bool:
    """Whether a title sounds like that of an error page; articles on errors do too."""
    return _NOT_FOUND.search(title) is not None


def text_pieces(markup: bytes, url: str, max_bytes: int = _LOOKED_AT_BYTES) -> dict[str, str]:
    """The text between a page's tags, each piece once, with what is left of it without the page's URL."""
    bare = _TAG.sub(b"\n", _HIDDEN.sub(b"", markup[:max_bytes]))
    lines = (line.strip() for line in bare.decode("utf-8", "backslashreplace").split("\n"))
    path = unquote(urlsplit(url).path)
    last = path.rstrip("/").rpartition("/")[2]
    own = [name for name in (url, path, last) if len(name) > 1]
    return {line: _without(line, own) for line in lines if line}


def text_hash(body: bytes, url: str, *, is_markup: bool) -> int:
    """A 64-bit hash of a page's whole text without its markup and its own address."""
    if not is_markup:
        return key64(body.decode("latin-1"))
    return key64("\n".join(text_pieces(body, url, len(body)).values()))


def says_nothing_else(page: Mapping[str, str], missing: Mapping[str, str]) -> bool:
    """Whether all that a page says stands on the site's answer to a made-up address too.

    What differs is bounded, not what is alike: two short pages of one template are alike in nearly all they
    say.

    Args:
        page: the pieces of the page in doubt.
        missing: those of the answer.
    """
    known = {*missing, *missing.values()}
    return sum(len(rest) for piece, rest in page.items() if not {piece, rest} & known) <= _OWN_CHARACTERS


def _without(line: str, names: list[str]) -> str:
    for name in names:
        line = line.replace(name, "")
    return line


def _site(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
