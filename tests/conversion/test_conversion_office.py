"""Office files, made by the libraries that make them, come out as the Markdown a person would write."""

import io
import random
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from ragcrawler.conversion import ConversionError, ConversionLimits, Converted
from ragcrawler.conversion.office import convert_docx, convert_ods, convert_odt, convert_pptx, convert_xlsx

URL = "https://docs.example.org/file"
LIMITS = ConversionLimits()


def png() -> io.BytesIO:
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (60, 40), "red").save(buffer, "PNG")
    buffer.seek(0)
    return buffer


def saved(document: Any) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def docx() -> bytes:
    from docx import Document

    document = Document()
    document.core_properties.title = "The pump"
    document.core_properties.author = "A. Bee"
    document.add_heading("Setting up", 1)
    document.add_paragraph("Call read_all for a < b, *really*.")
    document.add_heading("Parts", 2)
    for text, style in [("valve", "List Bullet"), ("seal", "List Bullet 2"), ("motor", "List Bullet")]:
        document.add_paragraph(text, style=style)
    table = document.add_table(rows=2, cols=2)
    for row, column, text in [(0, 0, "Part"), (0, 1, "Price"), (1, 0, "valve | old"), (1, 1, "3")]:
        table.cell(row, column).text = text
    document.add_picture(png())
    document.styles.add_style("Source Code", 1)
    document.add_paragraph("def f():\n    return 1", style="Source Code")
    return saved(document)


def pptx() -> bytes:
    from pptx import Presentation

    presentation = Presentation()
    for title, text in [("First slide", "one\ntwo"), ("Second slide", "three")]:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = text
    return saved(presentation)


def xlsx() -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    book.active.title = "Prices"
    for row in [("Part", "Price"), ("valve", 3.5)]:
        book.active.append(row)
    stock = book.create_sheet("Stock")
    for row in [("Part", "Count"), ("valve", 7)]:
        stock.append(row)
    return saved(book)


def odt() -> bytes:
    from odfdo import Document, Header, List, Paragraph

    document = Document("text")
    document.body.clear()
    for element in (Header(1, "Setting up"), Paragraph("Call read_all."), List(["valve", "motor"])):
        document.body.append(element)
    document.meta.title = "The pump"
    return saved(document)


DOCX = """# Setting up

Call read_all for a < b, \\*really\\*.

## Parts

- valve
    - seal
- motor

| Part | Price |
| --- | --- |
| valve \\| old | 3 |

![](picture-1.png)

```
def f():
    return 1
```
"""
PPTX = "## First slide\n\n- one\n- two\n\n## Second slide\n\n- three\n"
XLSX = "## Prices\n\n| Part | Price |\n| --- | --- |\n| valve | 3.5 |\n\n"
XLSX += "## Stock\n\n| Part | Count |\n| --- | --- |\n| valve | 7 |\n"
ODT = "# Setting up\n\nCall read_all.\n\n- valve\n- motor\n"

Make = Callable[[], bytes]
Convert = Callable[[bytes, str, ConversionLimits], Converted]
KINDS = [
    (docx, convert_docx, DOCX),
    (pptx, convert_pptx, PPTX),
    (xlsx, convert_xlsx, XLSX),
    (odt, convert_odt, ODT),
]


@pytest.mark.parametrize(("make", "convert", "markdown"), KINDS)
def test_headings_lists_tables_code_and_pictures_survive(make: Make, convert: Convert, markdown: str) -> None:
    converted = convert(make(), URL, LIMITS)
    assert converted.markdown == markdown
    assert converted.metadata.converter == f"{make.__name__}-docling"


@pytest.mark.parametrize(("make", "convert"), [(docx, convert_docx), (odt, convert_odt)])
def test_the_title_comes_from_the_properties(make: Make, convert: Convert) -> None:
    assert convert(make(), URL, LIMITS).title == "The pump"


def test_links_lead_away_and_pictures_are_none() -> None:
    from docx import Document

    document = Document()
    document.add_paragraph("See https://e.org/a, then https://e.org/b.")
    document.add_picture(png())
    assert convert_docx(saved(document), URL, LIMITS).links == ("https://e.org/a", "https://e.org/b")


def test_author_and_pictures_of_a_word_document_are_kept() -> None:
    converted = convert_docx(docx(), URL, LIMITS)
    assert converted.metadata.author == "A. Bee"
    assert [(picture.name, picture.media_type) for picture in converted.pictures] == [
        ("picture-1.png", "image/png")
    ]
    assert converted.pictures[0].data.startswith(b"\x89PNG")


def packed(members: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def nested(levels: int) -> bytes:
    return b"<w>" * levels + b"</w>" * levels


ENTITIES = b'<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><w>&b;</w>'


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"\xff\xd8\xff\xe0 no zip at all", "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "encrypted"),
        (packed({"mimetype": b"x"}), "damaged"),
        (packed({"word/document.xml": b"<w></v>"}), "damaged"),
        (packed({"word/document.xml": b"<w/>"}), "damaged"),
        (packed({"word/document.xml": b"<w/>", "word/big.bin": bytes(3_000_000)}), "too_large"),
        (packed({"word/document.xml": nested(300)}), "too_deep"),
        (packed({"word/document.xml": ENTITIES}), "damaged"),
    ],
    ids=["no zip", "OLE", "other kind", "no XML", "no parts", "zip bomb", "nested", "entity bomb"],
)
def test_a_bad_archive_is_one_typed_error(body: bytes, reason: str) -> None:
    with pytest.raises(ConversionError) as caught:
        convert_docx(body, URL, ConversionLimits(max_decompressed_bytes=2_000_000))
    assert (caught.value.reason, caught.value.url) == (reason, URL)


@pytest.mark.parametrize("far", ["XFD1048576", "A1:XFD1048576"])
def test_a_sheet_with_one_cell_in_the_last_corner_is_refused(far: str) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.active["A1"] = "near"
    if ":" not in far:
        book.active[far] = "far"
    body = saved(book)
    if ":" in far:  # openpyxl would make each of the merged cells
        sheet = zipfile.ZipFile(io.BytesIO(body)).read("xl/worksheets/sheet1.xml")
        merged = f'</sheetData><mergeCells><mergeCell ref="{far}"/></mergeCells>'.encode()
        body = packed(members_of(body) | {"xl/worksheets/sheet1.xml": sheet.replace(b"</sheetData>", merged)})
    with pytest.raises(ConversionError) as caught:
        convert_xlsx(body, URL, LIMITS)
    assert caught.value.reason == "too_large"


REPEATS = [
    (
        odt,
        convert_odt,
        "content.xml",
        b"</office:text>",
        b'<table:table><table:table-row table:number-rows-repeated="1000000"><table:table-cell'
        b' table:number-columns-repeated="10000"/></table:table-row></table:table></office:text>',
    ),
    (docx, convert_docx, "word/document.xml", b"<w:tcPr>", b'<w:tcPr><w:gridSpan w:val="100000000"/>'),
]


@pytest.mark.parametrize(("make", "convert", "part", "place", "change"), REPEATS, ids=["odt", "docx"])
def test_a_cell_that_is_repeated_without_end_is_refused(
    make: Make, convert: Convert, part: str, place: bytes, change: bytes
) -> None:
    members = members_of(make())
    changed = members | {part: members[part].replace(place, change)}
    assert changed != members
    with pytest.raises(ConversionError) as caught:
        convert(packed(changed), URL, LIMITS)
    assert caught.value.reason == "too_large"


def test_a_spreadsheet_of_too_many_places_is_refused() -> None:
    from tests.conversion.office_samples import ods

    members = members_of(ods())
    cell = b'<table:table-cell office:value-type="string">'
    repeated = cell.replace(b" office", b' table:number-columns-repeated="9999999" office')
    changed = members | {"content.xml": members["content.xml"].replace(cell, repeated, 1)}
    assert changed != members
    with pytest.raises(ConversionError) as caught:
        convert_ods(packed(changed), URL, LIMITS)
    assert caught.value.reason == "too_large"


def test_a_picture_that_cannot_be_read_is_a_warning() -> None:
    from tests.conversion.office_samples import odt as sample

    changed = {
        name: b"no picture" if name.startswith("Pictures/") else data
        for name, data in members_of(sample()).items()
    }
    warnings = convert_odt(packed(changed), URL, LIMITS).metadata.warnings
    assert "left out: pictures that cannot be read (1)" in warnings


def members_of(body: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_word_document_without_text_is_empty() -> None:
    from docx import Document

    with pytest.raises(ConversionError) as caught:
        convert_docx(saved(Document()), URL, LIMITS)
    assert caught.value.reason == "empty"


@pytest.mark.parametrize(("make", "convert", "_markdown"), KINDS)
def test_mutated_bytes_raise_nothing_but_typed_errors(make: Make, convert: Convert, _markdown: str) -> None:
    whole = make()
    outcomes = set()
    for seed in range(8):
        chance = random.Random(seed)
        body = bytearray(whole)
        for _ in range(chance.randint(1, 30)):
            body[chance.randrange(len(body))] = chance.randrange(256)
        try:
            convert(bytes(body[: chance.randint(len(body) // 2, len(body))]), URL, LIMITS)
            outcomes.add("converted")
        except ConversionError as error:
            outcomes.add(error.reason)
    assert outcomes <= {"converted", "damaged", "encrypted", "too_large", "empty"}
    assert "damaged" in outcomes
