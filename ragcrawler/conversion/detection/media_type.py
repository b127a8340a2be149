"""The media type of a body: what its bytes prove first, then the header, then the name in the URL."""

import re
from collections.abc import Mapping
from mimetypes import guess_type
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from ragcrawler.conversion.detection.signatures import proven_type

_ALIASES = {
    "application/x-pdf": "application/pdf",
    "application/markdown": "text/markdown",
    "text/x-markdown": "text/markdown",
    "text/x-mdx": "text/mdx",
    "application/mdx": "text/mdx",
    "text/prs.fallenstein.rst": "text/x-rst",
    "text/json": "application/json",
    "application/javascript": "text/javascript",
    "application/x-javascript": "text/javascript",
    "text/xml": "application/xml",
    "application/csv": "text/csv",
    "application/x-docbook+xml": "application/docbook+xml",
    "text/x-asciidoc": "text/asciidoc",
    "text/rtf": "application/rtf",
    "text/docbook": "application/docbook+xml",
    "text/x-csv": "text/csv",
    "text/comma-separated-values": "text/csv",
    "text/tsv": "text/tab-separated-values",
    "application/x-troff-man": "text/troff",
    "application/x-troff-mdoc": "text/troff",
    "application/x-troff": "text/troff",
    "text/x-troff": "text/troff",
    "text/x-troff-man": "text/troff",
    "application/rdf+xml": "application/xml",
}
SUFFIXES: Mapping[str, str] = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".mdx": "text/mdx",
    ".rst": "text/x-rst",
    ".json": "application/json",
    ".xml": "application/xml",
    ".txt": "text/plain",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".ipynb": "application/x-ipynb+json",
    ".eml": "message/rfc822",
    ".dbk": "application/docbook+xml",
    ".docbook": "application/docbook+xml",
    ".rtf": "application/rtf",
    ".adoc": "text/asciidoc",
    ".asciidoc": "text/asciidoc",
    ".man": "text/troff",
    **{f".{section}": "text/troff" for section in range(1, 9)},
    ".css": "text/css",
    ".js": "text/javascript",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".odp": "application/vnd.oasis.opendocument.presentation",
    ".epub": "application/epub+zip",
}
"""The media type that the name in a URL declares. A PDF is always recognised by its bytes."""

# None that is a word as well: the last part of `numpy.dot` is no extension.
_UNREADABLE = (
    "7z apk avif azw azw3 bz2 cab crx deb djvu dmg doc docm dwg dxf eot eps exr flac gz h5 heic ipa iso "
    "jar jks lz4 m4a m4v mdb mkv mobi mp3 mp4 msg msi msix npy npz odb odf odg opus otf parquet pkl ppt "
    "psd pst pyc rds rpm sqlite sqlite3 stl tar tgz tif tiff torrent ttf vsd vsdx war wasm webm webp whl "
    "wmf woff woff2 xcf xls xlsb xlsm xps xz zip zst"
)
UNREADABLE_EXTENSIONS: frozenset[str] = frozenset(_UNREADABLE.split())
"""Extensions in lower case of formats that no converter reads, beside those that Scrapy passes over."""

_NO_TEXT = ("image/", "audio/", "video/", "font/")

_KEPT_AS_DECLARED = {
    "application/rss+xml",
    "application/atom+xml",
    "text/markdown",
    "text/mdx",
    "text/x-plain",
    "text/x-rst",
    "text/asciidoc",
    "application/docbook+xml",
    "text/csv",
    "text/tab-separated-values",
    "application/x-ipynb+json",
    "message/rfc822",
    "application/json",
    "text/css",
    "text/javascript",
}
_UNDECIDED = {"", "text/plain", "application/octet-stream", "binary/octet-stream", "application/xml"}
_HEAD_BYTES = 4096
_HTML_START = re.compile(
    r"\s*(?:<!--.*?-->\s*|<\?xml[^>]*>\s*)*"
    r"<(?:!doctype\s+html|html|head|body|title|meta|script|style|div|table|h1|p|a|br)\b",
    re.IGNORECASE | re.DOTALL,
)
_HTML_ROOT = re.compile(r"\s*(?:<[?!][^>]*>\s*)*<html\b", re.IGNORECASE)
_XML_ROOT = re.compile(
    r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!doctype[^>]*>\s*)*<([\w.:-]+)", re.IGNORECASE | re.DOTALL
)
# Comments and requests, then the title by `man` or `mdoc`. A name that ends in a number says nothing.
_MANUAL_PAGE = re.compile(
    r"(?:(?:[.'](?![ \t]*(?:TH|Dd)\b).*|[ \t]*)\n)*?(?:\.[ \t]*(?:TH|Dd)[ \t]+\S|[.']so[ \t]+man\d)"
)
_DOCBOOK = "application/docbook+xml"
_DOCBOOK_MARK = re.compile(
    r"//DTD DocBook|<(?:chapter|refentry|sect1|appendix|preface)\b[^>]{0,1000}>"
    r"|<[\w:.-]+[^>]{0,1000}\sxmlns(?::\w+)?=[\"']http://docbook\.org/ns/docbook"
)
_XHTML = "application/xhtml+xml"
_XML_ROOT_TYPES = {
    "rss": "application/rss+xml",
    "rdf:rdf": "application/rss+xml",
    "feed": "application/atom+xml",
    "html": _XHTML,
    "svg": "image/svg+xml",
}
_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MAX_CONTROL_SHARE = 0.02


def media_type_of(body: bytes, content_type: str, url: str) -> str:
    """The type to convert a body as, lower case, without parameters.

    Returns "application/octet-stream" for binary data that nothing identifies.
    """
    declared = content_type.partition(";")[0].strip().lower()
    declared = _ALIASES.get(declared, declared)
    named = SUFFIXES.get(PurePosixPath(urlsplit(url).path).suffix.lower(), "")
    proven = proven_type(body)
    if proven:
        return _archive_as_declared(proven, declared, named)
    head = _head(body, content_type)
    if len(_CONTROL.findall(head)) > len(head) * _MAX_CONTROL_SHARE:
        return declared if not _is_textual(declared) else "application/octet-stream"
    return _textual_type(head, declared, named)


def may_be_text(extension: str) -> bool:
    """Whether files with an extension may be text, by what is known of it."""
    media_type, coding = guess_type(f"file.{extension}")
    is_binary = coding or (media_type or "").startswith(_NO_TEXT) or extension in UNREADABLE_EXTENSIONS
    return not is_binary


def _archive_as_declared(proven: str, declared: str, named: str) -> str:
    """An archive too damaged to look into is what its header or name says, for its converter to judge."""
    if proven != "application/zip":
        return proven
    return next(
        (kind for kind in (declared, named) if "openxml" in kind or "opendocument" in kind or "epub" in kind),
        proven,
    )


def _is_textual(media_type: str) -> bool:
    return (
        media_type in _UNDECIDED
        or media_type == "message/rfc822"
        or media_type.startswith("text/")
        or media_type.endswith(("xml", "json"))
    )


def _head(body: bytes, content_type: str) -> str:
    """The beginning as text, good enough to look at its markup."""
    head = body[:_HEAD_BYTES]
    if head.startswith(_BYTE_ORDER_MARKS[:2]) or "utf-16" in content_type.lower():
        return head.decode("utf-16", "ignore")
    return head.removeprefix(_BYTE_ORDER_MARKS[2]).decode("latin-1")


def _textual_type(head: str, declared: str, named: str) -> str:
    if declared == "application/json" and named.endswith("+json"):
        return named
    if declared in _KEPT_AS_DECLARED:
        return declared
    root = _XML_ROOT.match(head)
    markup = _XML_ROOT_TYPES.get(root.group(1).lower(), "") if root else ""
    if markup and markup != _XHTML:
        return markup
    if declared in ("text/html", _XHTML):
        return declared if root or not named or "<" in head else named
    return _undeclared_text(head, declared, named)


def _undeclared_text(head: str, declared: str, named: str) -> str:
    is_xml = declared.endswith("xml") or head.lstrip().startswith("<?xml")
    if (_HTML_ROOT if is_xml else _HTML_START).match(head):
        return "text/html"
    if is_xml:
        is_docbook = named == _DOCBOOK or _DOCBOOK_MARK.search(head)
        return _DOCBOOK if is_docbook else "application/xml"
    if _MANUAL_PAGE.match(head):
        return "text/troff"
    if declared.endswith("+json"):
        return "application/json"
    if named == "text/troff" or not _is_textual(named):
        return "text/plain"
    return named or "text/plain"
