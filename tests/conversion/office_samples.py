"""Office files with what docling alone would lose: notes, formats of numbers, links, words in pieces."""

import io
import zipfile
from datetime import date, datetime
from typing import Any

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
FORMULA = f"<m:oMath {MATH}><m:r><m:t>v=3</m:t></m:r></m:oMath>"


def saved(document: Any) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def png() -> io.BytesIO:
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (60, 40), "red").save(buffer, "PNG")
    buffer.seek(0)
    return buffer


def with_members(body: bytes, changed: dict[str, str] | dict[str, str | bytes]) -> bytes:
    """The archive with some members replaced or added."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(body)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            if name not in changed:
                new.writestr(name, old.read(name))
        for name, text in changed.items():
            new.writestr(name, text)
    return buffer.getvalue()


def docx() -> bytes:
    """A heading, words in several runs, a link, a list, code, a table, a picture, a formula, two notes."""
    from docx import Document
    from docx.oxml import parse_xml

    document = Document()
    document.core_properties.title, document.core_properties.author = "The pump", "A. Bee"
    document.add_heading("Parts", 1)
    line = document.add_paragraph("H")
    line.add_run("2").font.subscript = True
    line.add_run("O is ")
    line.add_run("wet").bold = True
    line.add_run(", see (")
    target = line.part.relate_to("https://e.org/shop", f"{RELATIONS}/hyperlink", is_external=True)
    run = f"<w:r {W}><w:t>the shop</w:t></w:r>"
    document.add_paragraph("with ")._p.append(parse_xml(FORMULA))
    line._p.append(parse_xml(f'<w:hyperlink {W} xmlns:r="{RELATIONS}" r:id="{target}">{run}</w:hyperlink>'))
    line.add_run(").")
    for kind in ("footnote", "endnote"):
        line._p.append(parse_xml(f'<w:r {W}><w:{kind}Reference w:id="2"/></w:r>'))
    document.add_comment(line.runs, "Really?", author="A. Bee")
    document.add_paragraph("valve", style="List Bullet")
    document.styles.add_style("Source Code", 1)
    document.add_paragraph("pump()", style="Source Code")
    table = document.add_table(rows=2, cols=1)
    table.cell(0, 0).text, table.cell(1, 0).text = "Price", "3"
    document.add_picture(png())
    return _with_notes(saved(document))


def _with_notes(body: bytes) -> bytes:
    """The Word document with the parts that its references to notes lead to."""
    members = zipfile.ZipFile(io.BytesIO(body))
    types = members.read("[Content_Types].xml").decode()
    relations = members.read("word/_rels/document.xml.rels").decode()
    changed = {}
    for kind in ("footnote", "endnote"):
        note = f'<w:{kind} w:id="2"><w:p><w:r><w:t>A {kind}, *so*.</w:t></w:r></w:p></w:{kind}>'
        changed[f"word/{kind}s.xml"] = f"<w:{kind}s {W}>{note}</w:{kind}s>"
        media = f"application/vnd.openxmlformats-officedocument.wordprocessingml.{kind}s+xml"
        override = f'<Override PartName="/word/{kind}s.xml" ContentType="{media}"/></Types>'
        types = types.replace("</Types>", override)
        relation = f'<Relationship Id="rId9{kind}" Type="{RELATIONS}/{kind}s" Target="{kind}s.xml"/>'
        relations = relations.replace("</Relationships>", f"{relation}</Relationships>")
    changed |= {"[Content_Types].xml": types, "word/_rels/document.xml.rels": relations}
    return with_members(body, changed)


def pptx() -> bytes:
    """A title, a list, a table, a link, a picture, and the notes of the speaker."""
    from pptx import Presentation
    from pptx.oxml import parse_xml
    from pptx.util import Inches

    presentation = Presentation()
    presentation.core_properties.title = "The pump"
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.shapes.title.text = "Parts"
    paragraph = slide.placeholders[1].text_frame.paragraphs[0]
    for text in ("H", "2", "O"):
        run = paragraph.add_run()
        run.text = text
        run.font.bold = text == "2"
    linked = slide.placeholders[1].text_frame.add_paragraph().add_run()
    linked.text, linked.hyperlink.address = "the shop", "https://e.org/shop"
    formula = slide.placeholders[1].text_frame.add_paragraph()._p
    drawing = 'xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"'
    formula.append(parse_xml(f"<a14:m {drawing}>{FORMULA}</a14:m>"))
    table = slide.shapes.add_table(2, 1, Inches(1), Inches(5), Inches(2), Inches(1)).table
    table.cell(0, 0).text, table.cell(1, 0).text = "Price", "3"
    slide.shapes.add_picture(png(), Inches(1), Inches(4))
    slide.notes_slide.notes_text_frame.text = "Say it slowly.\nThen stop."
    return saved(presentation)


def xlsx() -> bytes:
    """Formats of numbers and dates, a link, a comment, a formula without a stored value."""
    from openpyxl import Workbook
    from openpyxl.comments import Comment
    from openpyxl.drawing.image import Image

    book = Workbook()
    sheet = book.active
    sheet.title = "Prices"
    sheet.append(["Part", "Share", "Price", "Sold", "At"])
    sheet.append(["valve", 0.25, 1234.5, date(2024, 3, 5), datetime(2024, 3, 5, 9, 30)])
    sheet["B2"].number_format, sheet["C2"].number_format = "0%", '#,##0.00 "\u20ac"'
    sheet["D2"].number_format, sheet["E2"].number_format = "dd/mm/yyyy", "dd/mm/yyyy hh:mm"
    sheet["A3"] = "=SUM(C2:C2)"
    sheet["A2"].hyperlink = "https://e.org/valve"
    sheet["B2"].comment = Comment("Of all parts.", "A. Bee")
    sheet.add_image(Image(png()), "G2")
    book.properties.title = "The pump"
    return saved(book)


def odt() -> bytes:
    """A heading, a word in two spans, a link, a list, a table, a footnote."""
    from odfdo import Document, Element, Header, List, Paragraph, Table

    document = Document("text")
    document.body.clear()
    document.body.append(Header(1, "Parts"))
    document.body.append(
        Element.from_tag(
            '<text:p>H<text:span>2</text:span>O, see (<text:a xlink:href="https://e.org/shop">'
            "the shop</text:a>)"
            '<text:note text:id="ftn1" text:note-class="footnote"><text:note-citation>1</text:note-citation>'
            "<text:note-body><text:p>A footnote, *so*.</text:p></text:note-body></text:note>, now."
            "<office:annotation><text:p>Really?</text:p></office:annotation></text:p>"
        )
    )
    document.body.append(List(["valve"]))
    table = Table("Table", width=1, height=2)
    table.set_value((0, 0), "Price")
    table.set_value((0, 1), "3")
    document.body.append(table)
    document.body.append(Paragraph("end"))
    picture = '<draw:frame><draw:image xlink:href="Pictures/plan.png"/></draw:frame>'
    document.body.append(Element.from_tag(f"<text:p>{picture}</text:p>"))
    document.meta.title = "The pump"
    math = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>v</mi></math>'
    return with_members(saved(document), {"Object 1/content.xml": math, "Pictures/plan.png": png().read()})


def ods() -> bytes:
    """A sheet with a percentage and a link, and the empty rows that LibreOffice writes behind it."""
    from odfdo import Document, Element

    document = Document("spreadsheet")
    document.body.clear()
    document.body.append(
        Element.from_tag(
            '<table:table table:name="Prices"><table:table-row><table:table-cell office:value-type="string">'
            "<office:annotation><text:p>Really?</text:p></office:annotation>"
            '<text:p>Part</text:p></table:table-cell><table:table-cell office:value-type="string">'
            "<text:p>Share</text:p></table:table-cell>"
            '<table:table-cell table:number-columns-repeated="16382"/>'
            '</table:table-row><table:table-row><table:table-cell office:value-type="string"><text:p>'
            '<text:a xlink:href="https://e.org/valve">valve</text:a></text:p></table:table-cell><table:table-cell'
            ' office:value-type="percentage" office:value="0.25"><text:p>25%</text:p></table:table-cell>'
            '</table:table-row><table:table-row table:number-rows-repeated="1048574"><table:table-cell'
            ' table:number-columns-repeated="16384"/></table:table-row></table:table>'
        )
    )
    document.meta.title = "The pump"
    return saved(document)


def odp() -> bytes:
    """A slide with a title, a list, a link and the notes of the speaker."""
    from odfdo import Document, Element

    document = Document("presentation")
    document.body.clear()
    document.body.append(
        Element.from_tag(
            '<draw:page draw:name="page1"><draw:frame presentation:class="title"><draw:text-box><text:p>Parts'
            '</text:p></draw:text-box></draw:frame><draw:frame presentation:class="outline"><draw:text-box>'
            "<text:list><text:list-item><text:p>H<text:span>2</text:span>O</text:p></text:list-item>"
            '<text:list-item><text:p>see <text:a xlink:href="https://e.org/shop">the shop</text:a></text:p>'
            "</text:list-item></text:list></draw:text-box></draw:frame><presentation:notes><draw:frame"
            ' presentation:class="notes"><draw:text-box><text:p>Say it slowly.</text:p></draw:text-box>'
            "</draw:frame></presentation:notes></draw:page>"
        )
    )
    document.meta.title = "The pump"
    return saved(document)
