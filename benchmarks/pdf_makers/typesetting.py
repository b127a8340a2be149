"""PDFs by Typst."""

import re
from pathlib import Path

from pdf_makers.layout import FOOTER, HEADER, Block, Layout


def typst(layout: Layout, path: Path) -> bool:
    import typst as compiler

    source = path.with_suffix(".typ")
    source.write_text(_document(layout), encoding="utf-8")
    compiler.compile(source, output=path)
    return True


def escape(text: str) -> str:
    return re.sub(r"([\\#$*_`<>@\[\]~=/\-+'\"])", r"\\\1", text)


def _document(layout: Layout) -> str:
    side = (595 - layout.width) / 2
    running = ""
    if layout.header:
        only = "if counter(page).get().first() == 1 " if layout.header == "first" else ""
        running = (
            f"header: context {{ {only}[#text(8pt)[{HEADER}]] }}, "
            f"footer: context {{ {only}[#align(center, text(8pt)[{FOOTER} #counter(page).display()])] }},"
        )
    spacing = "spacing: 0.65em, first-line-indent: (amount: 1.5em, all: true)," if layout.indented else ""
    title = "".join(_block(block) for block in layout.blocks if block.kind in {"title", "rotated"})
    body = "\n\n".join(_block(block) for block in layout.blocks if block.kind not in {"title", "rotated"})
    columns = f"#columns({layout.columns}, gutter: 18pt)[{body}]" if layout.columns > 1 else body
    justify = str(layout.justified).lower()
    return (
        f'#set page("a4", margin: (x: {side}pt, y: 70pt), {running})\n#set text({layout.size}pt, lang: "en")\n'
        f"#set par(justify: {justify}, {spacing})\n{title}\n\n{columns}\n"
    )


def _block(block: Block) -> str:
    text = escape(block.text)
    if block.kind == "table":
        return _table(block)
    if block.note:
        text += f"#footnote[{escape(block.note)}]"
    wraps = {
        "title": '#text(18pt, weight: "bold")[{}]\n',
        "heading": "== {}",
        "item": "- {}",
        "sidebar": "#align(right, block(width: 60%, stroke: 0.5pt, inset: 6pt, fill: luma(235))[#set text(0.85em)\n{}])",
        "rotated": "#place(dx: -40pt, dy: 100pt, rotate(-90deg, reflow: true, text(8pt)[{}]))\n",
    }
    return wraps.get(block.kind, "{}").format(text)


def _table(block: Block) -> str:
    columns = max(sum(cell.columns for cell in row) for row in block.rows)
    widths = "auto, 1fr, auto" if any(len(cell.text) > 60 for row in block.rows for cell in row) else columns
    stroke = {"grid": "0.5pt", "lines": "(x, y) => (bottom: 0.5pt)", "none": "none"}[block.ruled]
    cells = "".join(
        f"table.cell(colspan: {cell.columns}, rowspan: {cell.rows})[{escape(cell.text) or '#v(0.6em)'}],\n"
        for row in block.rows
        for cell in row
    )
    given = f"({widths})" if isinstance(widths, str) else widths
    return f"#table(columns: {given}, stroke: {stroke}, align: left,\n{cells})"
