"""Which converter a body goes to: its bytes decide, then the header, then the name."""

import io
import zipfile

import pytest

from ragcrawler.conversion import READABLE_EXTENSIONS, ConversionError, convert
from ragcrawler.conversion.detection.media_type import media_type_of

OPEN_XML = "application/vnd.openxmlformats-officedocument"


def archive(*names: str, first: bytes = b"") -> bytes:
    """The same bytes at any time: they stand in the names of tests, which two processes compare."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        if first:
            file.writestr(zipfile.ZipInfo("mimetype"), first)
        for name in names:
            file.writestr(zipfile.ZipInfo(name), "x")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("body", "content_type", "url", "expected"),
    [
        (b"<!DOCTYPE html><p>x", "text/html; charset=utf-8", "/", "text/html"),
        (b"<p>x", "TEXT/HTML", "/", "text/html"),
        (b"<!doctype html><p>x", "text/plain", "/", "text/html"),
        (b"\n<html><p>x", "application/octet-stream", "/a.bin", "text/html"),
        (b"<html>404</html>", "application/pdf", "/a.pdf", "text/html"),
        (b"<h1>x</h1>", "", "/", "text/html"),
        (b"%PDF-1.7\n%\xe2\xe3", "text/html", "/", "application/pdf"),
        (b"junk\n%PDF-1.4", "", "/", "application/pdf"),
        (b"\x00\x01\x02rest", "application/pdf", "/a.pdf", "application/pdf"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "application/pdf", "/a.pdf", "image/jpeg"),
        (b"\x89PNG\r\n\x1a\n", "text/html", "/", "image/png"),
        (b"\x00\x01\x02\x03" * 99, "text/html", "/", "application/octet-stream"),
        (archive("word/document.xml"), "application/zip", "/", f"{OPEN_XML}.wordprocessingml.document"),
        (archive("ppt/presentation.xml"), "", "/", f"{OPEN_XML}.presentationml.presentation"),
        (archive("xl/workbook.xml"), "text/plain", "/", f"{OPEN_XML}.spreadsheetml.sheet"),
        (archive(first=b"application/epub+zip"), "", "/", "application/epub+zip"),
        (
            archive(first=b"application/vnd.oasis.opendocument.text"),
            "",
            "/",
            "application/vnd.oasis.opendocument.text",
        ),
        (archive("a.txt"), "application/zip", "/", "application/zip"),
        (archive("word/document.xml")[:40], "", "/a.docx", f"{OPEN_XML}.wordprocessingml.document"),
        (b"# Title", "text/markdown; charset=utf-8", "/", "text/markdown"),
        (b"# Title", "text/plain", "/README.md", "text/markdown"),
        (b"# Title", "text/html", "/README.md", "text/markdown"),
        (b"Title\n=====", "text/plain", "/a.rst", "text/x-rst"),
        (b"import A from 'b'", "text/plain", "/a.mdx", "text/mdx"),
        (b"<Tabs>", "application/mdx", "/a", "text/mdx"),
        (b"<!doctype html>", "text/x-plain", "/a.js", "text/x-plain"),
        (b"Title", "text/plain", "/a.txt", "text/plain"),
        (b"a,b\n1,2", "text/csv", "/export", "text/csv"),
        (b"a,b\n1,2", "text/plain", "/a.csv", "text/csv"),
        (b"a\tb", "application/octet-stream", "/a.tsv", "text/tab-separated-values"),
        (b'{"cells": []}', "application/json", "/a.ipynb", "application/x-ipynb+json"),
        (b'{"cells": []}', "text/plain", "/a.ipynb", "application/x-ipynb+json"),
        (b"From: a\n\nx", "text/plain", "/a.eml", "message/rfc822"),
        (b"From: a\n\nx", "message/rfc822", "/", "message/rfc822"),
        (b'.\\" x\n.TH LS 1\n', "text/plain", "/ls.1", "text/troff"),
        (b".ds x\n.Dd May 1\n", "", "/ls", "text/troff"),
        (b"= T", "text/plain", "/a.adoc", "text/asciidoc"),
        (b"{\\rtf1 x}", "text/plain", "/", "application/rtf"),
        (b"<?xml version='1.0'?><refentry><para/></refentry>", "text/xml", "/", "application/docbook+xml"),
        (
            b'<article xmlns="http://docbook.org/ns/docbook"/>',
            "application/xml",
            "/a.xml",
            "application/docbook+xml",
        ),
        (b"<?xml version='1.0'?><article><p/></article>", "text/xml", "/", "application/xml"),
        (b"a\n.TH LS 1\n", "text/plain", "/release-2.1", "text/plain"),
        (b'{"a": 1}', "application/json", "/", "application/json"),
        (b'{"a": 1}', "application/ld+json", "/", "application/json"),
        (b'<?xml version="1.0"?><a/>', "text/xml", "/", "application/xml"),
        (b'<?xml version="1.0"?><a/>', "", "/", "application/xml"),
        (b'<?xml version="1.0"?><rss><channel/></rss>', "text/xml", "/", "application/rss+xml"),
        (b'<feed xmlns="http://www.w3.org/2005/Atom"/>', "text/html", "/", "application/atom+xml"),
        (b'<?xml version="1.0"?>\n<!DOCTYPE html>\n<html/>', "text/xml", "/", "text/html"),
        (b"<svg></svg>", "image/svg+xml", "/", "image/svg+xml"),
        ("\ufeff<html>".encode(), "", "/", "text/html"),
        ("<html><p>x".encode("utf-16"), "text/html", "/", "text/html"),
        (b"body {}", "text/css", "/", "text/css"),
    ],
)
def test_the_type_is_what_the_body_proves(body: bytes, content_type: str, url: str, expected: str) -> None:
    assert media_type_of(body, content_type, f"https://a.example{url}") == expected


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"\xff\xd8\xff\xe0\x00\x10JFIF" * 9, "application/pdf"),
        (b"\x00\x01\x02\x03" * 99, "text/html"),
        (b"body { color: red }", "text/css"),
        (b"\x1f\x8b\x08" + b"\x00" * 99, "text/plain"),
        (archive("a.txt"), "application/zip"),
    ],
)
def test_what_no_converter_takes_is_refused_with_its_type(body: bytes, content_type: str) -> None:
    with pytest.raises(ConversionError) as raised:
        convert(body, content_type, "https://a.example/x")
    assert raised.value.reason == "unsupported_type"
    assert content_type in str(raised.value)


def test_the_readable_extensions_are_those_with_a_converter() -> None:
    assert {
        "html",
        "md",
        "rst",
        "txt",
        "json",
        "xml",
        "pdf",
        "docx",
        "pptx",
        "xlsx",
        "odt",
        "ods",
        "odp",
        "epub",
        "adoc",
        "dbk",
        "rtf",
        "csv",
        "tsv",
        "ipynb",
        "eml",
    } < READABLE_EXTENSIONS
    assert not READABLE_EXTENSIONS & {"doc", "xls", "ppt", "css", "js", "png", "zip"}
