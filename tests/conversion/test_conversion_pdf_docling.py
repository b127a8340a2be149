"""What docling's models read takes the same shape as what the text layer gives."""

import base64
import io

import pytest

from ragcrawler.conversion import ConversionError
from ragcrawler.conversion.pdf.docling_pipeline import docling_converted
from ragcrawler.conversion.pdf.reading.document_reader import PdfContent
from ragcrawler.conversion.pdf.reading.geometry import Box
from ragcrawler.conversion.pdf.reading.page import Image, PageContent

URL = "https://docs.example.org/manual.pdf"


def content(*, scanned: bool = False) -> PdfContent:
    images = (Image(Box(0, 0, 600, 800), 0, 480_000),) if scanned else ()
    page = PageContent(0, 600, 800, lines=(), images=images)
    return PdfContent((page,), outline=(), information={"Author": "A. Bee"}, page_count=1)


def docling_document():  # type: ignore[no-untyped-def]
    from docling_core.types.doc.base import Size
    from docling_core.types.doc.document import DoclingDocument, ImageRef
    from docling_core.types.doc.labels import DocItemLabel
    from PIL import Image as Raster

    document = DoclingDocument(name="manual")
    document.add_heading("Setting up", level=1)
    document.add_text(DocItemLabel.TEXT, "Call read_all for a < b.")
    caption = document.add_text(DocItemLabel.CAPTION, "Figure 1: the pump")
    buffer = io.BytesIO()
    Raster.new("RGB", (4, 4)).save(buffer, "PNG")
    uri = "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
    image = ImageRef(mimetype="image/png", dpi=72, size=Size(width=4, height=4), uri=uri)
    document.add_picture(image=image, caption=caption)
    document.add_heading("Parts", level=2)
    return document


def test_headings_text_and_captioned_pictures_come_out() -> None:
    converted = docling_converted(docling_document(), content(), URL, ocr=False)
    expected = (
        "# Setting up\n\nCall read_all for a < b.\n\n![Figure 1: the pump](picture-1.png)\n\n## Parts\n"
    )
    assert converted.markdown == expected
    assert [picture.name for picture in converted.pictures] == ["picture-1.png"]
    assert (converted.title, converted.metadata.converter) == ("Setting up", "pdf-docling")
    assert converted.metadata.author == "A. Bee"


@pytest.mark.parametrize(
    ("scanned", "ocr", "reason"), [(True, False, "no_text_layer"), (True, True, "empty")]
)
def test_nothing_read_is_an_error_with_its_reason(scanned: bool, ocr: bool, reason: str) -> None:
    from docling_core.types.doc.document import DoclingDocument

    with pytest.raises(ConversionError) as caught:
        docling_converted(DoclingDocument(name="blank"), content(scanned=scanned), URL, ocr=ocr)
    assert caught.value.reason == reason


def test_scanned_pages_are_named_where_ocr_is_off_and_not_where_it_is_on() -> None:
    named = ("scanned pages without text, left out for want of OCR: 1",)
    for ocr, warnings in ((False, named), (True, ())):
        converted = docling_converted(docling_document(), content(scanned=True), URL, ocr=ocr)
        assert converted.metadata.warnings == warnings
