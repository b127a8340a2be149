"""Sitemaps, sitemap indexes, RSS and Atom, read as a stream: no tree, no entities, nothing fetched."""

import re
from typing import ClassVar
from xml.parsers import expat

from ragcrawler.urls.listings.entries import Entries
from ragcrawler.urls.listings.listing import Problem

_CHUNK_BYTES = 64 * 1024
# A URL of the sitemap protocol has 2,048 at the most; a longer text is no URL.
_MAX_TEXT_CHARACTERS = 4096
_KINDS = {"urlset": "sitemap", "sitemapindex": "sitemap_index", "rss": "feed", "rdf": "feed", "feed": "feed"}
# No listing nests deeper; expat keeps all open elements.
_MAX_NESTING = 32
# A page with 40 translations has about so many; what has more is made to keep a crawl busy.
_MAX_TAGS_A_URL = 64
_BARE_AMPERSAND = re.compile(rb"&(?!#?[A-Za-z0-9]{1,32};)")


class _Stop(Exception):  # noqa: N818 - no error: reading ends here
    """Reading ends here, for the problem that is its only argument."""


def read_xml(data: bytes, entries: Entries) -> Problem:
    """Gather the entries of an XML listing; those before an error are kept.

    Ampersands that should have been escaped are common in URLs: then the file is read once more with them
    escaped (in a CDATA section they are right as they are).
    """
    problem = _Reader(entries).read(data)
    if problem == "malformed" and b"<![CDATA[" not in data and _BARE_AMPERSAND.search(data):
        problem = _Reader(entries).read(_BARE_AMPERSAND.sub(b"&amp;", data))
    return problem


class _Reader:
    _TEXTS: ClassVar = {"loc", "lastmod", "link"}

    def __init__(self, entries: Entries) -> None:
        self._entries = entries
        self._text: list[str] | None = None
        self._characters = 0
        self._loc = self._last_modified = ""
        self._nesting = 0
        self._tags_left = entries.max_urls * _MAX_TAGS_A_URL

    def read(self, data: bytes) -> Problem:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters_came
        parser.EntityDeclHandler = self._entity_declared
        try:
            for start in range(0, len(data), _CHUNK_BYTES):
                parser.Parse(data[start : start + _CHUNK_BYTES], False)
            parser.Parse(b"", True)
        except _Stop as stop:
            return stop.args[0]  # type: ignore[no-any-return]  # exceptions are not generic
        except (expat.ExpatError, ValueError, LookupError):  # the last two: an unknown encoding
            return "malformed"
        return ""

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count()
        name = _local(tag)
        if not self._entries.kind:
            self._entries.kind = _KINDS.get(name, "xml")
        if name in {"url", "sitemap"}:
            self._loc = self._last_modified = ""
        if name == "link" and "href" in attributes:
            self._link(attributes)
        elif name in self._TEXTS:
            self._text = []
            self._characters = 0

    def _count(self) -> None:
        self._nesting += 1
        self._tags_left -= 1
        if self._nesting > _MAX_NESTING or self._tags_left < 0:
            raise _Stop("too_large")

    def _end(self, tag: str) -> None:
        self._nesting -= 1
        name = _local(tag)
        if self._text is not None and name in self._TEXTS:
            self._text_ended(name, "".join(self._text))
        elif name == "sitemap":
            self._entries.listing(self._loc)
        elif name == "url":
            self._entries.page(self._loc, last_modified=self._last_modified)

    def _text_ended(self, name: str, text: str) -> None:
        self._text = None
        if name == "loc":
            self._loc = self._loc or text  # an image's stands behind the page's own
        elif name == "lastmod":
            self._last_modified = text.strip()
        elif self._entries.kind == "feed":
            self._entries.page(text)

    def _link(self, attributes: dict[str, str]) -> None:
        if attributes.get("rel", "alternate") == "alternate":
            self._entries.page(attributes["href"], language=attributes.get("hreflang", "").lower())

    def _characters_came(self, text: str) -> None:
        if self._text is not None and self._characters < _MAX_TEXT_CHARACTERS:
            self._text.append(text)
            self._characters += len(text)

    def _entity_declared(self, *_: object) -> None:
        # No listing needs any, every bomb does.
        raise _Stop("entities")


def _local(tag: str) -> str:
    return tag.rpartition(" ")[2].lower()
