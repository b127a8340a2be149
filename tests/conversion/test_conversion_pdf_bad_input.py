"""A bad PDF is one typed error, and costs no more than its limits allow."""

import random
import zlib
from typing import Any

import pytest

from ragcrawler.conversion import ConversionError, ConversionLimits
from ragcrawler.conversion.pdf import convert_pdf
from ragcrawler.conversion.pdf.reading.geometry import Box
from ragcrawler.conversion.pdf.reading.text.justified import as_set_in_columns
from ragcrawler.conversion.pdf.reading.text.lines import Line, Style, Word
from ragcrawler.conversion.pdf_options import PdfOptions

URL = "https://docs.example.org/manual.pdf"
FILLER = "Logs are rotated every night, and each of them is kept for a week before it goes."


def reason_of(body: bytes, limits: ConversionLimits | None = None) -> str:
    with pytest.raises(ConversionError) as caught:
        convert_pdf(body, URL, limits or ConversionLimits())
    assert caught.value.url == URL
    return caught.value.reason


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(200), "unsupported_type"),
        (b"<!DOCTYPE html><p>Not found</p>", "unsupported_type"),
        (b"%PDF-1.7\n", "damaged"),
        (b"%PDF-1.7\n" + bytes(range(256)) * 40, "damaged"),
    ],
    ids=["jpeg", "html", "nothing but the signature", "binary rubbish"],
)
def test_what_is_no_pdf_is_said_to_be_none(body: bytes, reason: str) -> None:
    assert reason_of(body) == reason


def test_a_pdf_with_a_password_is_encrypted(pdf_draft: Any) -> None:
    pdf_draft.page().text(72, 100, FILLER)
    pdf_draft.is_encrypted = True
    assert reason_of(pdf_draft.write()) == "encrypted"


def test_too_many_pages_are_refused_before_any_is_read(pdf_draft: Any) -> None:
    for _ in range(3):
        pdf_draft.page().text(72, 100, FILLER)
    assert reason_of(pdf_draft.write(), ConversionLimits(max_pages=2)) == "too_many_pages"


def bomb(layers: int) -> bytes:
    packed = bytes(4_000_000)
    for _ in range(layers):
        packed = zlib.compress(packed, 9)
    head = f"<< /Filter [{'/FlateDecode ' * layers}] /Length {len(packed)} >>"
    return b"%PDF-1.7\n1 0 obj\n" + head.encode() + b"\nstream\n" + packed + b"\nendstream\nendobj\n"


@pytest.mark.parametrize("layers", [1, 2, 9])
def test_streams_that_unpack_to_more_than_the_limit_are_refused(layers: int) -> None:
    body = bomb(layers)
    assert len(body) < 10_000
    assert reason_of(body, ConversionLimits(max_decompressed_bytes=1_000_000)) == "too_large"


def test_blank_pages_are_an_empty_document(pdf_draft: Any) -> None:
    pdf_draft.page()
    assert reason_of(pdf_draft.write()) == "empty"


def test_nothing_but_page_numbers_is_an_empty_document(pdf_draft: Any) -> None:
    for number in range(3):
        pdf_draft.page().text(290, 820, f"- {number} -")
    assert reason_of(pdf_draft.write()) == "empty"


def test_a_document_of_scans_has_no_text_layer(pdf_draft: Any) -> None:
    for _ in range(2):
        pdf_draft.page().image(0, 0, 595, 842)
    assert reason_of(pdf_draft.write()) == "no_text_layer"


def test_scanned_pages_among_others_are_named(pdf_draft: Any) -> None:
    pdf_draft.page().text(72, 100, FILLER)
    for grey in (10, 20, 30):
        pdf_draft.page().image(0, 0, 595, 842, grey)
    pdf_draft.page().text(72, 100, FILLER)
    pdf_draft.page().image(0, 0, 595, 842, 40)
    converted = convert_pdf(pdf_draft.write(), URL, ConversionLimits())
    named = "scanned pages without text, left out for want of OCR: 2-4, 6"
    assert converted.metadata.warnings == (named,)


def test_pictures_over_the_limit_stay_packed_and_are_counted(pdf_draft: Any) -> None:
    pdf_draft.page().text(72, 100, FILLER).image(72, 200, 272, 400)
    converted = convert_pdf(pdf_draft.write(), URL, ConversionLimits(max_decompressed_bytes=1_000))
    assert converted.pictures == ()
    assert converted.metadata.warnings == ("1 pictures could not be taken out",)


@pytest.mark.parametrize("kept", [0.2, 0.5, 0.9, 0.99])
def test_a_truncated_pdf_gives_what_is_left_or_one_typed_error(pdf_draft: Any, kept: float) -> None:
    for _ in range(5):
        pdf_draft.page().text(72, 100, FILLER)
    body = pdf_draft.write()
    try:
        converted = convert_pdf(body[: int(len(body) * kept)], URL, ConversionLimits())
    except ConversionError as error:
        assert error.reason in {"damaged", "empty"}  # noqa: PT017 - either outcome is right
    else:
        assert FILLER in converted.markdown


@pytest.mark.parametrize("seed", range(60))
def test_mutated_bytes_raise_nothing_but_typed_errors(pdf_draft: Any, seed: int) -> None:
    page = pdf_draft.page().text(72, 80, "Handbook", size=20).lines(72, 120, f"{FILLER}\n{FILLER}")
    page.grid([72, 172, 272], [200, 220, 240]).text(76, 214, "a").text(176, 214, "b").image(72, 300, 172, 400)
    page.link(72, 110, 200, 130, "https://e.org/")
    pdf_draft.bookmark("Handbook", 0, 60)
    body = bytearray(pdf_draft.write())
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 40)):
        body[chance.randrange(9, len(body))] = chance.randrange(256)
    try:
        outcome = convert_pdf(bytes(body), URL, ConversionLimits()).metadata.converter
    except ConversionError as error:
        outcome = error.reason
    assert outcome in {"pdf-text-layer", "damaged", "empty", "encrypted", "no_text_layer", "too_many_pages"}


def test_time_grows_with_the_number_of_lines_drawn_not_with_their_square(pdf_draft: Any) -> None:
    """A grid of 40,000 rules is a drawing: no table is looked for in it, and the text stays."""
    page = pdf_draft.page().text(72, 40, FILLER)
    for number in range(200):
        page.grid([50 + 2.5 * column for column in range(100)], [60 + 3.5 * number, 62 + 3.5 * number])
    assert convert_pdf(pdf_draft.write(), URL, ConversionLimits()).markdown.startswith(FILLER)


def test_weights_in_a_folder_that_is_none_are_refused_with_what_to_do() -> None:
    with pytest.raises(ValueError, match="docling-tools models download"):
        PdfOptions(artifacts_path="/nowhere/at/all")


def test_ocr_without_weights_is_refused() -> None:
    with pytest.raises(ValueError, match="OCR needs docling's weights"):
        PdfOptions(ocr=True)


def test_a_folder_without_weights_fails_at_once_and_asks_no_hub(pdf_draft: Any, tmp_path: Any) -> None:
    pdf_draft.page().text(72, 100, FILLER)
    limits = ConversionLimits(pdf=PdfOptions(artifacts_path=str(tmp_path)))
    assert reason_of(pdf_draft.write(), limits) == "unsupported_type"


def test_a_row_of_thousands_of_pieces_is_not_put_together_in_all_ways() -> None:
    style = Style("Helvetica", 10.0)

    def line(x: float, y: float, order: int, words: int = 1) -> Line:
        boxes = [Box(x + 8 * word, y - 8, x + 8 * word + 6, y + 2) for word in range(words)]
        return Line(tuple(Word("a", box, y, style) for box in boxes), 0, order)

    column = [line(0, 20 + 12 * number, number, words=2_500) for number in range(3)]
    row = [line(20 * number, 100, 3 + number) for number in range(1_000)]
    assert as_set_in_columns([*column, *row]) == [*column, *row]
