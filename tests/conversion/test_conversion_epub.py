"""A book is its chapters in reading order, with links that lead somewhere."""

import io
import random
import zipfile

import pytest

from ragcrawler.conversion import ConversionError, ConversionLimits
from ragcrawler.conversion.archives.epub import convert_epub

URL = "https://docs.example.org/book.epub"
LIMITS = ConversionLimits()
CONTAINER = b"""<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="text/book.opf"/></rootfiles></container>"""
PACKAGE = b"""<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata><dc:title>The pump</dc:title><dc:creator>A. Bee</dc:creator><dc:creator>C. Dee</dc:creator>
<dc:language>en</dc:language><dc:date>2024-01-31T12:00:00Z</dc:date></metadata>
<manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="c" href="cover.xhtml" media-type="application/xhtml+xml"/>
<item id="a" href="first%20one.xhtml" media-type="application/xhtml+xml"/>
<item id="b" href="second.xhtml" media-type="application/xhtml+xml"/>
<item id="i" href="../pictures/pump.png" media-type="image/png"/></manifest>
<spine><itemref idref="c"/><itemref idref="n"/><itemref idref="b"/><itemref idref="a"/><itemref idref="gone"/>
</spine></package>"""
LONG = "It pumps water from the well to the house, day and night, and never asks for thanks."


def page(body: str) -> bytes:
    head = "<head><title>x</title></head>"
    return f'<html xmlns="http://www.w3.org/1999/xhtml">{head}<body>{body}</body></html>'.encode()


MEMBERS = {
    "META-INF/container.xml": CONTAINER,
    "text/book.opf": PACKAGE,
    "text/nav.xhtml": page("<p>Table of contents, not part of the text at all.</p>"),
    "text/cover.xhtml": page("<img src='../pictures/pump.png' alt=''/>"),
    "text/second.xhtml": page(
        f"<h1 id='s'>Second</h1><p>{LONG} See <a href='first%20one.xhtml#start'>the start</a> or"
        " <a href='https://e.org/'>the site</a>. <img src='../pictures/pump.png' alt='the pump'/></p>"
    ),
    "text/first one.xhtml": page(f"<h1 id='start'>First</h1><p>{LONG}</p><pre><code>turn on</code></pre>"),
    "pictures/pump.png": b"\x89PNG...",
}


def packed(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def test_chapters_come_in_the_order_of_the_spine_without_the_contents() -> None:
    markdown = convert_epub(packed(MEMBERS), URL, LIMITS).markdown
    assert markdown.index("# Second") < markdown.index("# First")
    assert "Table of contents" not in markdown
    assert "```\nturn on\n```" in markdown


def test_links_into_the_book_lead_to_the_book_and_others_stay() -> None:
    converted = convert_epub(packed(MEMBERS), URL, LIMITS)
    assert f"[the start]({URL}#start)" in converted.markdown
    assert "[the site](https://e.org/)" in converted.markdown
    assert converted.links == ("https://e.org/",)


def test_pictures_are_taken_out_of_the_archive() -> None:
    converted = convert_epub(packed(MEMBERS), URL, LIMITS)
    assert "![the pump](picture-1.png)" in converted.markdown
    assert [(picture.name, picture.data) for picture in converted.pictures] == [
        ("picture-1.png", b"\x89PNG...")
    ]


def test_anchors_stand_where_their_headings_stand_in_the_whole_book() -> None:
    converted = convert_epub(packed(MEMBERS), URL, LIMITS)
    lines = converted.markdown.split("\n")
    places = {anchor.id: lines[anchor.line] for anchor in converted.anchors}
    assert (places["s"], places["start"]) == ("# Second", "# First")


def test_metadata_come_from_the_package_document() -> None:
    converted = convert_epub(packed(MEMBERS), URL, LIMITS)
    said = converted.metadata
    assert (converted.title, said.author, said.language) == ("The pump", "A. Bee; C. Dee", "en")
    assert (said.published, said.pages, said.converter) == ("2024-01-31", 2, "epub-html")


ENCRYPTION = b'<encryption><CipherReference URI="text/second.xhtml"/></encryption>'
FONT_ENCRYPTION = b'<encryption><CipherReference URI="fonts/a.otf"/></encryption>'


@pytest.mark.parametrize(
    ("changes", "limits", "reason"),
    [
        ({"META-INF/container.xml": b""}, LIMITS, "damaged"),
        ({"META-INF/container.xml": b"<container/>"}, LIMITS, "damaged"),
        ({"text/book.opf": b"<package"}, LIMITS, "damaged"),
        ({"META-INF/encryption.xml": ENCRYPTION}, LIMITS, "encrypted"),
        ({"text/second.xhtml": page(""), "text/first one.xhtml": page("")}, LIMITS, "empty"),
        ({"big.bin": bytes(900_000)}, ConversionLimits(max_decompressed_bytes=500_000), "too_large"),
        ({}, ConversionLimits(max_pages=2), "too_many_pages"),
    ],
)
def test_a_bad_book_is_one_typed_error(
    changes: dict[str, bytes], limits: ConversionLimits, reason: str
) -> None:
    with pytest.raises(ConversionError) as caught:
        convert_epub(packed(MEMBERS | changes), URL, limits)
    assert (caught.value.reason, caught.value.url) == (reason, URL)


def test_encrypted_fonts_do_not_keep_the_text_from_being_read() -> None:
    body = packed(MEMBERS | {"META-INF/encryption.xml": FONT_ENCRYPTION})
    assert "# First" in convert_epub(body, URL, LIMITS).markdown


def test_mutated_bytes_raise_nothing_but_typed_errors() -> None:
    whole = packed(MEMBERS)
    outcomes = set()
    for seed in range(40):
        chance = random.Random(seed)
        body = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            body[chance.randrange(len(body))] = chance.randrange(256)
        try:
            convert_epub(bytes(body), URL, LIMITS)
            outcomes.add("converted")
        except ConversionError as error:
            outcomes.add(error.reason)
    assert outcomes <= {"converted", "damaged", "encrypted", "empty", "too_large"}
    assert "damaged" in outcomes
