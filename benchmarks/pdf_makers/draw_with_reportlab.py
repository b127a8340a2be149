"""Run by the system's Python: reads a layout as JSON from standard input, writes its PDF with ReportLab."""

import json
import sys
from xml.sax.saxutils import escape

from reportlab.lib.enums import TA_JUSTIFY, TA_LEFT
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import BaseDocTemplate, Frame, FrameBreak, PageTemplate, Paragraph, Table

GAP = 18  # points between two columns
LONG_CELL = 60  # letters from which a cell's text is broken into lines


def styles(layout):
    size = layout["size"]
    plain = ParagraphStyle(
        "plain", fontName="Times-Roman", fontSize=size, leading=size * 1.2,
        alignment=TA_JUSTIFY if layout["justified"] else TA_LEFT,
        firstLineIndent=15 if layout["indented"] else 0, spaceAfter=0 if layout["indented"] else 6,
    )  # fmt: skip
    small = ParagraphStyle("small", fontName="Times-Roman", fontSize=8, leading=9.6)
    return {
        "paragraph": plain,
        "title": ParagraphStyle("title", fontName="Times-Bold", fontSize=18, leading=22),
        "heading": ParagraphStyle(
            "heading", fontName="Times-Bold", fontSize=13, leading=16, spaceAfter=4, spaceBefore=8
        ),
        "item": ParagraphStyle("item", parent=plain, leftIndent=12, bulletIndent=2, firstLineIndent=0),
        "sidebar": ParagraphStyle(
            "box", parent=small, leftIndent=90, borderWidth=0.5, borderColor="black", borderPadding=5,
            spaceBefore=10, spaceAfter=12,
        ),
    }  # fmt: skip


class Decoration:
    """What stands on a page besides its columns: running lines, a text on its side, footnotes.

    Args:
        layout: of the document.
        running: the texts of its head and its foot.
    """

    def __init__(self, layout, running):
        self._header, self._running = layout["header"], running
        self._side = (595 - layout["width"]) / 2
        self._turned = [block["text"] for block in layout["blocks"] if block["kind"] == "rotated"]
        self.notes = [block["note"] for block in layout["blocks"] if block["note"]]

    def draw(self, canvas, document):
        canvas.setFont("Times-Roman", 8)
        if self._header == "all" or (self._header and document.page == 1):
            canvas.drawString(self._side, 800, self._running["head"])
            canvas.drawCentredString(297, 36, f"{self._running['foot']} {document.page}")
        if document.page == 1:
            self._draw_turned(canvas)
            self._draw_notes(canvas)

    def _draw_turned(self, canvas):
        for text in self._turned[:1]:
            canvas.saveState()
            canvas.translate(self._side - 30, 400)
            canvas.rotate(90)
            canvas.drawString(0, 0, text)
            canvas.restoreState()

    def _draw_notes(self, canvas):
        """As in a page layout program, they stand in a frame of their own."""
        if self.notes:
            top = 66 + 10 * len(self.notes)
            canvas.line(self._side, top, self._side + 100, top)
        for index, note in enumerate(self.notes):
            foot = 56 + 10 * (len(self.notes) - 1 - index)
            canvas.setFont("Times-Roman", 5)
            canvas.drawString(self._side, foot + 3, str(index + 1))
            canvas.setFont("Times-Roman", 8)
            canvas.drawString(self._side + 4, foot, note)


def table(block, style):
    """A table whose cells may span rows and columns."""
    rows = block["rows"]
    grid = [[""] * max(sum(cell["columns"] for cell in row) for row in rows) for _ in rows]
    taken, rules = set(), table_rules(block["ruled"], style.fontSize)
    for at, row in enumerate(rows):
        column = 0
        for cell in row:
            while (at, column) in taken:
                column += 1
            text = cell["text"]
            grid[at][column] = Paragraph(escape(text), style) if len(text) > LONG_CELL else text
            taken |= {(at + r, column + c) for r in range(cell["rows"]) for c in range(cell["columns"])}
            end = (column + cell["columns"] - 1, at + cell["rows"] - 1)
            if end != (column, at):
                rules.append(("SPAN", (column, at), end))
    is_long = any(len(cell["text"]) > LONG_CELL for row in rows for cell in row)
    widths = [110, 240, 80] if is_long else None
    return Table(grid, style=rules, colWidths=widths, spaceAfter=8, spaceBefore=8, hAlign="LEFT")


def table_rules(ruled, size):
    all_cells = ((0, 0), (-1, -1))
    names = {"grid": "GRID", "lines": "LINEBELOW"}
    lines = [(names[ruled], *all_cells, 0.5, "black")] if ruled in names else []
    return [("VALIGN", *all_cells, "TOP"), ("FONT", *all_cells, "Times-Roman", size), *lines]


def story(layout):
    """The blocks as ReportLab's flowables; what is rotated is decoration."""
    known, flowables, number = styles(layout), [], 0
    for block in layout["blocks"]:
        kind, text = block["kind"], escape(block["text"])
        if block["note"]:
            number += 1
            text += f'<super size="{layout["size"] * 0.6}">{number}</super>'
        if kind == "table":
            flowables.append(table(block, known["paragraph"]))
        elif kind != "rotated":
            bullet = "\u2022" if kind == "item" else None
            flowables.append(Paragraph(text, known[kind], bulletText=bullet))
        if kind == "title":
            flowables.append(FrameBreak())
    return flowables


def page_templates(layout, decoration):
    """Of the first page, which has room for title and footnotes, and of the rest."""
    columns = layout["columns"]
    side, width = (595 - layout["width"]) / 2, (layout["width"] - GAP * (columns - 1)) / columns
    has_title = any(block["kind"] == "title" for block in layout["blocks"])
    foot, top = 76 + 10 * len(decoration.notes), 772 - 36 * has_title

    def frames(low, high):
        lefts = [side + index * (width + GAP) for index in range(columns)]
        return [Frame(left, low, width, high - low, 0, 0, 0, 0) for left in lefts]

    across = [Frame(side, 736, layout["width"], 36, 0, 0, 0, 0)] if has_title else []
    return [
        PageTemplate(
            "first", across + frames(foot, top), onPage=decoration.draw, autoNextPageTemplate="rest"
        ),
        PageTemplate("rest", frames(70, 772), onPage=decoration.draw),
    ]


if __name__ == "__main__":
    given = json.load(sys.stdin)
    made = page_templates(given["layout"], Decoration(given["layout"], given["running"]))
    document = BaseDocTemplate(given["path"], pagesize=(595, 842), pageTemplates=made)
    document.build(story(given["layout"]))
