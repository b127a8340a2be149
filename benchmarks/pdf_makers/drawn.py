"""PDFs whose lines are placed by a program, as page layout programs do: ReportLab, and Pango on Cairo.

Both are asked for from the system's Python, to which distributions package them; this file is run by it.
"""

import json
import subprocess
import sys
from dataclasses import asdict

HEADER, FOOTER = "Operations manual, second edition", "Printed for the workshop"
PYTHON = "/usr/bin/python3"


def reportlab(layout, path):
    return _run("reportlab", layout, path)


def cairo(layout, path):
    if any(block.kind in {"table"} or block.note for block in layout.blocks):
        return False
    return _run("cairo", layout, path)


def _run(maker, layout, path):
    given = json.dumps([maker, asdict(layout), str(path)])
    subprocess.run([PYTHON, __file__], input=given.encode(), check=True, capture_output=True, timeout=120)
    return True


def draw_with_reportlab(layout, path):
    from xml.sax.saxutils import escape

    from reportlab.lib.enums import TA_JUSTIFY, TA_LEFT
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import BaseDocTemplate, Frame, FrameBreak, PageTemplate, Paragraph, Table

    side, size = (595 - layout["width"]) / 2, layout["size"]
    columns = layout["columns"]
    width = (layout["width"] - 18 * (columns - 1)) / columns
    plain = ParagraphStyle(
        "plain", fontName="Times-Roman", fontSize=size, leading=size * 1.2,
        alignment=TA_JUSTIFY if layout["justified"] else TA_LEFT,
        firstLineIndent=15 if layout["indented"] else 0, spaceAfter=0 if layout["indented"] else 6,
    )  # fmt: skip
    heading = ParagraphStyle(
        "heading", fontName="Times-Bold", fontSize=13, leading=16, spaceAfter=4, spaceBefore=8
    )
    title = ParagraphStyle("title", fontName="Times-Bold", fontSize=18, leading=22)
    small = ParagraphStyle("small", fontName="Times-Roman", fontSize=8, leading=9.6)
    item = ParagraphStyle("item", parent=plain, leftIndent=12, bulletIndent=2, firstLineIndent=0)
    box = ParagraphStyle(
        "box",
        parent=small,
        leftIndent=90,
        borderWidth=0.5,
        borderColor="black",
        borderPadding=5,
        spaceBefore=10,
        spaceAfter=12,
    )

    notes = [block["note"] for block in layout["blocks"] if block["note"]]
    turned = [block["text"] for block in layout["blocks"] if block["kind"] == "rotated"]

    def decorate(canvas, document):
        canvas.setFont("Times-Roman", 8)
        if layout["header"] == "all" or (layout["header"] and document.page == 1):
            canvas.drawString(side, 800, HEADER)
            canvas.drawCentredString(297, 36, f"{FOOTER} {document.page}")
        if document.page == 1 and turned:
            canvas.saveState()
            canvas.translate(side - 30, 400)
            canvas.rotate(90)
            canvas.drawString(0, 0, turned[0])
            canvas.restoreState()
        if document.page == 1 and notes:  # as in a page layout program, they stand in a frame of their own
            canvas.line(side, 66 + 10 * len(notes), side + 100, 66 + 10 * len(notes))
            for index, note in enumerate(notes):
                canvas.setFont("Times-Roman", 5)
                canvas.drawString(side, 59 + 10 * (len(notes) - 1 - index), str(index + 1))
                canvas.setFont("Times-Roman", 8)
                canvas.drawString(side + 4, 56 + 10 * (len(notes) - 1 - index), note)

    def table(block):
        count = max(sum(cell["columns"] for cell in row) for row in block["rows"])
        grid = [[""] * count for _ in block["rows"]]
        taken, style = (
            set(),
            [("VALIGN", (0, 0), (-1, -1), "TOP"), ("FONT", (0, 0), (-1, -1), "Times-Roman", size)],
        )
        for at, row in enumerate(block["rows"]):
            column = 0
            for cell in row:
                while (at, column) in taken:
                    column += 1
                text = cell["text"]
                grid[at][column] = Paragraph(escape(text), plain) if len(text) > 60 else text
                taken |= {(at + r, column + c) for r in range(cell["rows"]) for c in range(cell["columns"])}
                end = (column + cell["columns"] - 1, at + cell["rows"] - 1)
                if end != (column, at):
                    style.append(("SPAN", (column, at), end))
        if block["ruled"] == "grid":
            style.append(("GRID", (0, 0), (-1, -1), 0.5, "black"))
        if block["ruled"] == "lines":
            style.append(("LINEBELOW", (0, 0), (-1, -1), 0.5, "black"))
        is_long = any(len(cell["text"]) > 60 for row in block["rows"] for cell in row)
        return Table(
            grid,
            style=style,
            colWidths=[110, 240, 80] if is_long else None,
            spaceAfter=8,
            spaceBefore=8,
            hAlign="LEFT",
        )

    story, number = [], 0
    has_title = False
    for block in layout["blocks"]:
        text = escape(block["text"])
        if block["note"]:
            number += 1
            text += f'<super size="{size * 0.6}">{number}</super>'
        kind = block["kind"]
        if kind == "table":
            story.append(table(block))
        elif kind == "item":
            story.append(Paragraph(text, item, bulletText="\u2022"))
        elif kind == "title":
            has_title = True
            story += [Paragraph(text, title), FrameBreak()]
        elif kind != "rotated":
            story.append(Paragraph(text, {"heading": heading, "sidebar": box}.get(kind, plain)))
    foot = 76 + 10 * len(notes)
    top = 772 - 36 * has_title
    first = [
        Frame(side + index * (width + 18), foot, width, top - foot, 0, 0, 0, 0) for index in range(columns)
    ]
    rest = [Frame(side + index * (width + 18), 70, width, 702, 0, 0, 0, 0) for index in range(columns)]
    across = [Frame(side, 736, layout["width"], 36, 0, 0, 0, 0)] if has_title else []
    templates = [
        PageTemplate("first", across + first, onPage=decorate, autoNextPageTemplate="rest"),
        PageTemplate("rest", rest, onPage=decorate),
    ]
    BaseDocTemplate(path, pagesize=(595, 842), pageTemplates=templates).build(story)


def draw_with_cairo(layout, path):
    """Lines of all columns from top to bottom of the page, one column beside the other, on one grid of lines."""
    import cairo
    import gi

    gi.require_version("PangoCairo", "1.0")
    from gi.repository import Pango, PangoCairo

    surface = cairo.PDFSurface(path, 595, 842)
    context = cairo.Context(surface)
    side, columns, leading = (595 - layout["width"]) / 2, layout["columns"], layout["size"] * 1.25
    width = (layout["width"] - 18 * (columns - 1)) / columns

    def typeset(text, size, *, bold=False, justified=False, indent=0.0, width=width):
        made = PangoCairo.create_layout(context)
        made.set_font_description(
            Pango.FontDescription(f"Liberation Serif {'Bold ' if bold else ''}{size * 0.75}")
        )
        made.set_width(int(width * Pango.SCALE))
        made.set_justify(justified)
        made.set_indent(int(indent * Pango.SCALE))
        made.set_text(text, -1)
        return made

    rows = []  # (layout, index of line, x in the column), None is an empty line
    turned = ""
    for block in layout["blocks"]:
        kind = block["kind"]
        if kind == "rotated":
            turned = block["text"]
        elif kind in {"heading", "title"}:
            made = typeset(block["text"], 13 if kind == "heading" else 18, bold=True)
            rows += [None] + [(made, index, 0) for index in range(made.get_line_count())] + [None]
        else:
            text = "\u2022 " + block["text"] if kind == "item" else block["text"]
            indent = 15 if layout["indented"] and kind == "paragraph" else 0
            size = layout["size"] * 0.85 if kind == "sidebar" else layout["size"]
            inset = 40 if kind == "sidebar" else 0
            made = typeset(text, size, justified=layout["justified"], indent=indent, width=width - inset)
            rows += [(made, index, inset) for index in range(made.get_line_count())]
            rows += [] if layout["indented"] else [None]
    fit = int(690 // leading)
    page = 0
    while rows:
        page += 1
        filled = min(fit, -(-len(rows) // columns)) if len(rows) < fit * columns else fit
        parts = [rows[index * filled : (index + 1) * filled] for index in range(columns)]
        rows = rows[columns * filled :]
        if layout["header"] == "all" or (layout["header"] and page == 1):
            for text, y in ((HEADER, 50), (f"{FOOTER} {page}", 806)):
                context.move_to(side, y)
                PangoCairo.show_layout_line(context, typeset(text, 8, width=400).get_line_readonly(0))
        if turned and page == 1:
            context.save()
            context.translate(side - 30, 500)
            context.rotate(-1.5707963)
            context.move_to(0, 0)
            PangoCairo.show_layout_line(context, typeset(turned, 8, width=400).get_line_readonly(0))
            context.restore()
        for at in range(filled):  # across the page, line by line
            for column, part in enumerate(parts):
                if at < len(part) and part[at]:
                    made, index, inset = part[at]
                    line = made.get_line_readonly(index)
                    _, box = made.get_iter().get_line_extents() if index == 0 else _line_extents(made, index)
                    x = side + column * (width + 18) + inset + box.x / Pango.SCALE
                    context.move_to(x, 80 + at * leading)
                    PangoCairo.show_layout_line(context, line)
        surface.show_page()
    surface.finish()


def _line_extents(made, index):
    lines = made.get_iter()
    for _ in range(index):
        lines.next_line()
    return lines.get_line_extents()


if __name__ == "__main__":
    maker, layout, path = json.load(sys.stdin)
    {"reportlab": draw_with_reportlab, "cairo": draw_with_cairo}[maker](layout, path)
