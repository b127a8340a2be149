"""Run by the system's Python: reads a layout as JSON from standard input, writes its PDF with Pango on Cairo.

Lines of all columns are drawn from top to bottom of the page, one column beside the other, on one grid of lines.
"""

import json
import sys

import cairo
import gi

gi.require_version("PangoCairo", "1.0")
from gi.repository import Pango, PangoCairo  # noqa: E402

GAP = 18  # points between two columns
GRID_HEIGHT = 690  # points of a page that columns may fill


class Drawing:
    """One document.

    Args:
        layout: of the document.
        running: the texts of its head and its foot.
        path: of the PDF.
    """

    def __init__(self, layout, running, path):
        self._layout, self._running = layout, running
        self._surface = cairo.PDFSurface(path, 595, 842)
        self._context = cairo.Context(self._surface)
        self._side = (595 - layout["width"]) / 2
        self._width = (layout["width"] - GAP * (layout["columns"] - 1)) / layout["columns"]
        self._leading = layout["size"] * 1.25

    def draw(self):
        """Write all pages."""
        rows, columns = self._rows(), self._layout["columns"]
        fit = int(GRID_HEIGHT // self._leading)
        page = 0
        while rows:
            page += 1
            filled = min(fit, -(-len(rows) // columns)) if len(rows) < fit * columns else fit
            parts = [rows[index * filled : (index + 1) * filled] for index in range(columns)]
            rows = rows[columns * filled :]
            self._draw_around(page)
            self._draw_columns(parts, filled)
            self._surface.show_page()
        self._surface.finish()

    def _rows(self):
        """(Pango's layout, index of a line in it, x in the column) of each line; None is an empty line."""
        rows = []
        for block in self._layout["blocks"]:
            if block["kind"] in {"heading", "title"}:
                made = self._typeset(block["text"], 13 if block["kind"] == "heading" else 18, bold=True)
                rows += [None] + [(made, index, 0) for index in range(made.get_line_count())] + [None]
            elif block["kind"] != "rotated":
                inset = 40 if block["kind"] == "sidebar" else 0
                made = self._typeset_running(block, inset)
                rows += [(made, index, inset) for index in range(made.get_line_count())]
                rows += [] if self._layout["indented"] else [None]
        return rows

    def _typeset_running(self, block, inset):
        kind, layout = block["kind"], self._layout
        text = "\u2022 " + block["text"] if kind == "item" else block["text"]
        return self._typeset(
            text,
            layout["size"] * 0.85 if kind == "sidebar" else layout["size"],
            justified=layout["justified"],
            indent=15 if layout["indented"] and kind == "paragraph" else 0,
            width=self._width - inset,
        )

    def _typeset(self, text, size, *, bold=False, justified=False, indent=0.0, width=None):
        made = PangoCairo.create_layout(self._context)
        font = f"Liberation Serif {'Bold ' if bold else ''}{size * 0.75}"
        made.set_font_description(Pango.FontDescription(font))
        made.set_width(int((width or self._width) * Pango.SCALE))
        made.set_justify(justified)
        made.set_indent(int(indent * Pango.SCALE))
        made.set_text(text, -1)
        return made

    def _draw_around(self, page):
        """Running lines, and on the first page a text on its side."""
        if self._layout["header"] == "all" or (self._layout["header"] and page == 1):
            self._draw_small(self._running["head"], self._side, 50)
            self._draw_small(f"{self._running['foot']} {page}", self._side, 806)
        turned = [block["text"] for block in self._layout["blocks"] if block["kind"] == "rotated"]
        if turned and page == 1:
            self._context.save()
            self._context.translate(self._side - 30, 500)
            self._context.rotate(-1.5707963)
            self._draw_small(turned[-1], 0, 0)
            self._context.restore()

    def _draw_small(self, text, x, y):
        self._context.move_to(x, y)
        made = self._typeset(text, 8, width=400)
        PangoCairo.show_layout_line(self._context, made.get_line_readonly(0))

    def _draw_columns(self, parts, filled):
        for at in range(filled):  # across the page, line by line
            for column, part in enumerate(parts):
                if at < len(part) and part[at]:
                    made, index, inset = part[at]
                    left = self._side + column * (self._width + GAP) + inset
                    x = left + line_offset(made, index) / Pango.SCALE
                    self._context.move_to(x, 80 + at * self._leading)
                    PangoCairo.show_layout_line(self._context, made.get_line_readonly(index))


def line_offset(made, index):
    """Of a line from the left edge of its layout, in units of Pango."""
    lines = made.get_iter()
    for _ in range(index):
        lines.next_line()
    return lines.get_line_extents()[1].x


if __name__ == "__main__":
    given = json.load(sys.stdin)
    Drawing(given["layout"], given["running"], given["path"]).draw()
