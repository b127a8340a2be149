"""Formats that are text already: plain text, reStructuredText, JSON, XML."""

import json
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.items import Metadata


def convert_plain_text(text: str, url: str, limits: ConversionLimits) -> Converted:
    """Plain text as it is, its line ends made one kind."""
    return _converted(_unified(text), url, "text/plain")


def convert_restructured_text(text: str, url: str, limits: ConversionLimits) -> Converted:
    """Text as it is, its line ends made one kind."""
    return _converted(_unified(text), url, "text/x-rst")


def convert_json(text: str, url: str, limits: ConversionLimits) -> Converted:
    """A fenced block, indented for reading where it parses."""
    try:
        text = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = _unified(text)
    return _converted(_fenced(text, "json"), url, "application/json")


def convert_xml(text: str, url: str, limits: ConversionLimits) -> Converted:
    """A fenced block."""
    return _converted(_fenced(_unified(text), "xml"), url, "application/xml")


def file_name(url: str) -> str:
    """The last segment of the URL's path, decoded: the title of a document that has none."""
    return unquote(PurePosixPath(urlsplit(url).path).name)


def _unified(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")


def _fenced(text: str, language: str) -> str:
    return f"~~~{language}\n{text}\n~~~"


def _converted(markdown: str, url: str, media_type: str) -> Converted:
    metadata = Metadata(media_type=media_type, converter="text")
    return Converted(file_name(url), markdown + "\n", metadata)
