"""PDFs by groff, with the macros `ms` and the preprocessor `tbl`."""

import subprocess
from pathlib import Path

from pdf_makers.layout import FOOTER, HEADER, Block, Cell, Layout


def groff(layout: Layout, path: Path) -> bool:
    if any(block.kind == "rotated" for block in layout.blocks):
        return False
    source = path.with_suffix(".ms")
    source.write_text(_document(layout), encoding="ascii")
    done = subprocess.run(
        ["groff", "-t", "-ms", "-Tpdf", "-P-pa4", "-dpaper=a4", source],
        check=True,
        capture_output=True,
        timeout=120,
    )
    path.write_bytes(done.stdout)
    return True


def escape(text: str) -> str:
    text = text.replace("\\", r"\e").replace("'", r"\(aq").replace("-", r"\-").replace("^", r"\(ha")
    return rf"\&{text}"


def _document(layout: Layout) -> str:
    side = (595 - layout.width) / 2
    running = (
        [rf".ds LH {HEADER}", ".ds CH", rf".ds CF {FOOTER} \n%"] if layout.header else [".ds CH", ".ds CF"]
    )
    if layout.header:
        running.append(".P1")
    numbers = [f".nr PO {side}p", f".nr LL {layout.width}p", f".nr PS {round(layout.size)}",
               f".nr VS {round(layout.size * 1.2)}", ".nr HM 70p", ".nr FM 70p", f".nr PI {15 if layout.indented else 10}p"]  # fmt: skip
    if layout.indented:
        numbers.append(".nr PD 0")
    lines = [*running, *numbers, ".LP", "" if layout.justified else ".na"]
    has_begun = False
    for block in layout.blocks:
        if block.kind != "title" and not has_begun:
            has_begun = True
            lines += [{1: ".1C", 2: ".2C", 3: ".MC 140p 16p"}[layout.columns]] if layout.columns > 1 else []
        lines += _block(block, layout)
        if layout.header == "first" and block.kind == "title":
            lines += [".rm P1"]
    return "\n".join(line for line in lines if line) + "\n"


def _block(block: Block, layout: Layout) -> list[str]:
    begin = [".PP" if layout.indented else ".LP", "" if layout.justified else ".na"]
    text = escape(block.text)
    if block.note:
        return [*begin, text + r"\**", ".FS", escape(block.note), ".FE"]
    wraps = {
        "title": [r".LP", r".ps 18", ".vs 22", rf"\fB{text}\fP", ".br", ".ps", ".vs", ".sp"],
        "heading": [".SH", text],
        "item": [r".IP \(bu 12p", text],
        "sidebar": [".B1", *begin, text, ".B2"],
    }
    return _table(block) if block.kind == "table" else wraps.get(block.kind, [*begin, text])


def _table(block: Block) -> list[str]:
    columns = max(sum(cell.columns for cell in row) for row in block.rows)
    option = {"grid": "allbox;", "lines": "", "none": ""}[block.ruled]
    formats, data = [], []
    grid = _grid(block, columns)
    for row in grid:
        formats.append(" ".join("s" if cell == "s" else "^" if cell == "^" else "lt" for cell in row))
        texts = (r"\^" if cell == "^" else _text(cell) for cell in row if cell != "s")
        data.append("\t".join(texts))
        if block.ruled == "lines":
            data.append("_")
            formats.append(" ".join("l" for _ in row))
    formats = [line for index, line in enumerate(formats) if block.ruled != "lines" or index % 2 == 0]
    return [".TS", option, *formats[:-1], formats[-1] + ".", *data, ".TE"] if option else [
        ".TS", *formats[:-1], formats[-1] + ".", *data, ".TE"]  # fmt: skip


def _text(cell: Cell | str) -> str:
    text = cell.text if isinstance(cell, Cell) else cell
    return f"T{{\n.ll 220p\n{escape(text)}\nT}}" if len(text) > 60 else escape(text) if text else ""


def _grid(block: Block, columns: int) -> list[list[Cell | str]]:
    """The cell of each place; `s` goes on from the left, `^` from above."""
    rows: list[list[Cell | str]] = []
    waiting = [0] * columns
    for row in block.rows:
        cells = iter(row)
        line: list[Cell | str] = []
        while len(line) < columns:
            if waiting[len(line)]:
                waiting[len(line)] -= 1
                line.append("^")
                continue
            cell = next(cells)
            for step in range(cell.columns):
                waiting[len(line)] = cell.rows - 1
                line.append("s" if step else cell)
        rows.append(line)
    return rows
