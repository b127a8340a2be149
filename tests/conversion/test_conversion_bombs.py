"""Small files that would become large, or take long: each is bounded by what is counted in it."""

import base64
import io
import json
import zipfile
from collections.abc import Callable

import pytest

from ragcrawler.conversion import ConversionError, convert, work

URL = "https://a.example/document"
OPEN_DOCUMENT = "application/vnd.oasis.opendocument"


def archive(members: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in members.items():
            written.writestr(name, content)
    return buffer.getvalue()


def presentation(inside: str) -> bytes:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{last}:1.0"'
        for name, last in {"office": "office", "table": "table", "text": "text", "draw": "drawing"}.items()
    )
    content = (
        f"<office:document-content {spaces}><office:body><office:presentation><draw:page><draw:frame>{inside}"
        "</draw:frame></draw:page></office:presentation></office:body></office:document-content>"
    )
    return archive({"mimetype": f"{OPEN_DOCUMENT}.presentation", "content.xml": content})


def table(row_attributes: str, cell_attributes: str, *, rows: int = 1, text: str = "x") -> bytes:
    row = (
        f"<table:table-row {row_attributes}><table:table-cell {cell_attributes}><text:p>{text}</text:p>"
        "</table:table-cell></table:table-row>"
    )
    return presentation(f"<table:table>{row * rows}</table:table>")


def book(chapters: int, chapter: str) -> bytes:
    items = "".join(
        f'<item id="a{number}" href="a.xhtml" media-type="application/xhtml+xml"/>'
        for number in range(chapters)
    )
    order = "".join(f'<itemref idref="a{number}"/>' for number in range(chapters))
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="c.opf"/></container>',
            "c.opf": f"<package><metadata/><manifest>{items}</manifest><spine>{order}</spine></package>",
            "a.xhtml": f"<html><body>{chapter}</body></html>",
        }
    )


def message(*parts: str) -> bytes:
    head = "Subject: Words\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
    return (head + "".join(f"--b\n{part}\n" for part in parts) + "--b--\n").encode()


def attached(body: bytes, name: str) -> str:
    head = (
        "Content-Type: application/epub+zip\nContent-Transfer-Encoding: base64\n"
        f"Content-Disposition: attachment; filename={name}\n\n"
    )
    return head + base64.encodebytes(body).decode()


def notebook(outputs: int) -> bytes:
    output = {"output_type": "display_data", "data": {"text/html": "<table><tr><td>x</table>"}}
    cell = {"cell_type": "code", "source": "x", "outputs": [output] * outputs}
    return json.dumps({"cells": [cell], "nbformat": 4}).encode()


REPEATED = 'table:number-rows-repeated="9000"'
GRID = b"+-" * 200 + b"+\n" + (b"|x" * 200 + b"|\n" + b"+-" * 200 + b"+\n") * 120
# As they are.
LARGE: dict[str, tuple[Callable[[], bytes], str]] = {
    "RTF whose one long row makes all others as long": (
        lambda: b"{\\rtf1 " + b"x\\cell " * 2500 + b"\\row " + b"x\\cell\\row " * 2500 + b"}",
        "application/rtf",
    ),
    "ODP with many repeated rows": (lambda: table(REPEATED, "", rows=3), f"{OPEN_DOCUMENT}.presentation"),
    "ODP with a cell that spans": (
        lambda: table("", 'table:number-columns-spanned="9999999"'),
        f"{OPEN_DOCUMENT}.presentation",
    ),
    "ODP with a table in a repeated cell": (
        lambda: presentation(
            f"<table:table><table:table-row {REPEATED}><table:table-cell><table:table><table:table-row"
            f" {REPEATED}><table:table-cell/></table:table-row></table:table></table:table-cell>"
            "</table:table-row></table:table>"
        ),
        f"{OPEN_DOCUMENT}.presentation",
    ),
    "ODP with spaces without end": (
        lambda: presentation('<text:p>x<text:s text:c="2000000000"/>y</text:p>'),
        f"{OPEN_DOCUMENT}.presentation",
    ),
    "ODP with a long text in a repeated row": (
        lambda: table(REPEATED, "", text="x" * 2_000),
        f"{OPEN_DOCUMENT}.presentation",
    ),
    "a grid of reStructuredText": (lambda: GRID, "text/x-rst"),
    "mail of many parts": (lambda: message(*["\nx"] * 1001), "message/rfc822"),
}
# Where a document may make a hundredth of the work.
LONG: dict[str, tuple[Callable[[], bytes], str]] = {
    "HTML": (lambda: b"<p>x</p>" * 10_000, "text/html"),
    "RTF paragraphs": (lambda: b"{\\rtf1 " + b"x\\par " * 10_001 + b"}", "application/rtf"),
    "RTF rows": (lambda: b"{\\rtf1 " + b"x\\cell y\\cell\\row " * 5_001 + b"}", "application/rtf"),
    "a book that says one chapter a hundred times": (
        lambda: book(100, "<p>x</p>" * 100),
        "application/epub+zip",
    ),
    "a book of short chapters": (lambda: book(60, "<p>x</p>"), "application/epub+zip"),
    "a table of DocBook": (
        lambda: (
            b"<article><table><tbody>"
            + b"<row><entry>x</entry></row>" * 5_000
            + b"</tbody></table></article>"
        ),
        "application/docbook+xml",
    ),
    "a notebook of HTML outputs": (lambda: notebook(60), "application/x-ipynb+json"),
    "AsciiDoc paragraphs": (lambda: b"x\n\n" * 10_001, "text/asciidoc"),
    "AsciiDoc cells": (lambda: b"|===\n" + b"|x " * 10_001 + b"\n|===\n", "text/asciidoc"),
    "AsciiDoc links": (lambda: b"<<x>> " * 10_001, "text/asciidoc"),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_file_that_would_become_large_is_refused(name: str) -> None:
    make, kind = LARGE[name]
    with pytest.raises(ConversionError) as caught:
        convert(make(), kind, URL)
    assert caught.value.reason == "too_large"
    assert caught.value.url == URL


@pytest.mark.parametrize("name", LONG)
def test_a_file_that_would_take_long_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_MAX_ELEMENTS", 10_000)
    make, kind = LONG[name]
    with pytest.raises(ConversionError) as caught:
        convert(make(), kind, URL)
    assert caught.value.reason == "too_large"


def test_the_attachments_of_a_message_share_one_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_MAX_ELEMENTS", 10_000)
    large, small = book(10, "<p>word</p>" * 200), book(1, "<p>word</p>")
    converted = convert(
        message(*(attached(body, f"{n}.epub") for n, body in enumerate([small, large, large, large, small]))),
        "message/rfc822",
        URL,
    )
    assert converted.markdown.count("\nword\n") == 1 + 2 * 2_000
    assert converted.metadata.warnings == tuple(
        f"left out: attachment {n}.epub (application/epub+zip): too_large" for n in (3, 4)
    )


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        (b":a: link:x[{a}]\n\n{a}", "[{a}](https://a.example/x)\n"),
        (b"[[a]]\n== <<a>>\n\nto <<a>>\n", "## [a](#a)\n\nto [a](#a)\n"),
        (b"[[a]]\n== <<b>>\n\n[[b]]\n== <<a>>\n", None),
    ],
)
def test_asciidoc_that_names_itself_is_read_once(text: bytes, markdown: str | None) -> None:
    converted = convert(text, "text/asciidoc", URL).markdown
    assert markdown is None or converted == markdown


@pytest.mark.parametrize(
    "inner", ["<email>{}</email>", "<informaltable><tr><td>{}</td></tr></informaltable>", "<note>{}</note>"]
)
def test_docbook_says_what_is_nested_once(inner: str) -> None:
    text = "word"
    for _ in range(30):
        text = inner.format(text)
    converted = convert(f"<article><para>{text}</para></article>".encode(), "application/docbook+xml", URL)
    assert converted.markdown.count("word") <= 2


def test_a_long_title_is_shown_in_short_where_others_refer_to_it() -> None:
    title = "x" * 5_000
    references = "<xref linkend='a'/> " * 50
    text = f"<article id='a'><title>{title}</title><para>{references}</para></article>"
    assert len(convert(text.encode(), "application/docbook+xml", URL).markdown) < 20_000
    text = f"[[a]]\n== {title}\n\n{'<<a>> ' * 50}\n"
    assert len(convert(text.encode(), "text/asciidoc", URL).markdown) < 20_000
    text = f".. _a:\n\n{title}\n{'=' * 5_000}\n\n{':ref:`a` ' * 50}\n"
    assert len(convert(text.encode(), "text/x-rst", URL).markdown) < 20_000
