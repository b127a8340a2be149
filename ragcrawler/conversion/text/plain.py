"""Formats that are text already: plain text, JSON, XML."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.links import bare_links
from ragcrawler.conversion.text_cleaning import strip_invisible, without_surrogates
from ragcrawler.items import Metadata

# Namespaces and schemas: an address in them is a name, mostly of nothing that could be fetched.
_VOCABULARIES = re.compile(
    r"(?<=[\s\"'])(?:xmlns(?::[\w.-]{1,100})?+|[\w.-]{1,100}:(?:noNamespaceS|s)chemaLocation)\s*+=\s*+"
    r"(?:\"[^\"<]*+\"|'[^'<]*+')|<!DOCTYPE\b[^>\[]*+"
)

# Of a text that is indented; more means that there is little else than indentation.
_MAX_GROWTH = 8
_MIN_ROOM = 10_000


def convert_plain_text(text: str, url: str, _limits: ConversionLimits) -> Converted:
    """Plain text as it is, its line ends made one kind.

    Raises:
        ConversionError: `empty` where no visible character is left.
    """
    return as_document(text, url, "text/plain")


def convert_json(text: str, url: str, _limits: ConversionLimits) -> Converted:
    """A fenced block, indented for reading where it parses."""
    return as_document(_indent(text), url, "application/json", fence="json")


def convert_xml(text: str, url: str, _limits: ConversionLimits) -> Converted:
    """A fenced block; names of vocabularies are no links, though they are written as addresses."""
    converted = as_document(text, url, "application/xml", fence="xml")
    return replace(converted, links=bare_links(_VOCABULARIES.sub("", text)))


def _indent(text: str) -> str:
    try:
        parts = json.JSONEncoder(indent=2, ensure_ascii=False).iterencode(json.loads(text))
        indented = "".join(_bound(parts, len(text) * _MAX_GROWTH + _MIN_ROOM))
    except (ValueError, RecursionError):
        return text
    return without_surrogates(indented)


def _bound(parts: Iterable[str], max_characters: int) -> Iterator[str]:
    """The parts.

    Raises:
        ValueError: they are longer together: a megabyte of brackets, indented, is a gigabyte of spaces.
    """
    size = 0
    for part in parts:
        size += len(part)
        if size > max_characters:
            raise ValueError("the indented text is too long")
        yield part


def as_document(text: str, url: str, media_type: str, *, fence: str = "") -> Converted:
    """A text that is its own Markdown; inside a fence where one is named.

    Raises:
        ConversionError: `empty` where no visible character is left.
    """
    text, hidden_characters = strip_invisible(text.replace("\r\n", "\n").replace("\r", "\n"))
    first_line = len(text) - len(text.lstrip("\n"))
    text = text.strip("\n")
    if not text.strip():
        raise ConversionError("empty", "the text holds nothing but white space", url=url)
    marks = "~" * max(3, longest_run(text, "~") + 1)
    markdown = f"{marks}{fence}\n{text}\n{marks}\n" if fence else f"{text}\n"
    metadata = Metadata(media_type=media_type, converter="text", hidden_characters=hidden_characters)
    lines = None if fence else first_line
    return Converted(file_name(url), markdown, metadata, links=bare_links(text), first_line=lines)


def file_name(url: str) -> str:
    """The last segment of the URL's path, decoded: the title of a document that has none."""
    return unquote(PurePosixPath(urlsplit(url).path).name)


def longest_run(text: str, sign: str) -> int:
    """The length of the longest run of a sign at the beginning of a line."""
    runs = (len(line) - len(line.lstrip(sign)) for line in map(str.lstrip, text.split("\n")))
    return max(runs, default=0)
