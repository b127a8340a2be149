"""PDFs by LibreOffice Writer, from flat OpenDocument: what word processors make."""

import subprocess
from html import escape
from pathlib import Path

from pdf_makers.layout import FOOTER, HEADER, Block, Layout

_NAMES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in (
        ("office", "office"), ("style", "style"), ("text", "text"), ("table", "table"),
        ("fo", "xsl-fo-compatible"), ("draw", "drawing"), ("svg", "svg-compatible"),
    )
)  # fmt: skip


def libreoffice(layout: Layout, path: Path) -> bool:
    if any(block.kind == "rotated" for block in layout.blocks):
        return False
    source = path.with_suffix(".fodt")
    source.write_text(_document(layout), encoding="utf-8")
    profile = f"-env:UserInstallation=file://{path.parent}/libreoffice"
    command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", path.parent, source]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return path.exists()


def _document(layout: Layout) -> str:
    title = "".join(_block(block, 0) for block in layout.blocks if block.kind == "title")
    rest = [block for block in layout.blocks if block.kind != "title"]
    body = "".join(_block(block, number) for number, block in enumerate(rest, start=1))
    if layout.columns > 1:
        body = f'<text:section text:style-name="columns" text:name="columns">{body}</text:section>'
    return (
        f'<?xml version="1.0"?><office:document {_NAMES} office:version="1.3" '
        f'office:mimetype="application/vnd.oasis.opendocument.text">{_styles(layout)}'
        f"<office:body><office:text>{title}{body}</office:text></office:body></office:document>"
    )


def _styles(layout: Layout) -> str:
    return (
        '<office:font-face-decls><style:font-face style:name="Liberation Serif" svg:font-family="Liberation Serif"/></office:font-face-decls>'
        f"<office:styles>{_paragraph_styles(layout)}</office:styles>"
        f"<office:automatic-styles>{_cell_styles()}{_column_style(layout)}{_page_style(layout)}</office:automatic-styles>"
        f"<office:master-styles>{_master_pages(layout)}</office:master-styles>"
    )


def _paragraph_styles(layout: Layout) -> str:
    align = "justify" if layout.justified else "start"
    gap = 'fo:text-indent="15pt"' if layout.indented else 'fo:margin-bottom="6pt"'
    text = f'<style:text-properties style:font-name="Liberation Serif" fo:font-size="{layout.size}pt" fo:language="en" fo:country="US"'
    return (
        f'<style:style style:name="plain" style:family="paragraph"><style:paragraph-properties fo:text-align="{align}" {gap}/>'
        f'{text} fo:hyphenate="{str(layout.justified).lower()}"/></style:style>'
        f'<style:style style:name="cell" style:family="paragraph">{text}/></style:style>'
        '<style:style style:name="note" style:family="paragraph"><style:text-properties fo:font-size="8pt"/></style:style>'
        '<style:style style:name="running" style:family="paragraph"><style:text-properties fo:font-size="8pt"/></style:style>'
        '<style:style style:name="title" style:family="paragraph"><style:paragraph-properties fo:margin-bottom="10pt"/><style:text-properties fo:font-size="18pt" fo:font-weight="bold"/></style:style>'
        '<style:style style:name="heading" style:family="paragraph"><style:paragraph-properties fo:margin-top="8pt" fo:margin-bottom="4pt" fo:keep-with-next="always"/><style:text-properties fo:font-size="13pt" fo:font-weight="bold"/></style:style>'
        '<style:style style:name="box" style:family="paragraph"><style:paragraph-properties fo:margin-left="80pt" fo:border="0.5pt solid #000000" fo:padding="5pt" fo:background-color="#eeeeee"/><style:text-properties fo:font-size="8.5pt"/></style:style>'
    )


def _cell_styles() -> str:
    edges = {
        "grid": 'fo:border="0.5pt solid #000000"',
        "lines": 'fo:border-bottom="0.5pt solid #000000"',
        "none": "",
    }
    return "".join(
        f'<style:style style:name="{ruled}" style:family="table-cell"><style:table-cell-properties fo:padding="2pt" {edge}/></style:style>'
        for ruled, edge in edges.items()
    )


def _column_style(layout: Layout) -> str:
    each = '<style:column style:rel-width="1*" fo:end-indent="9pt" fo:start-indent="9pt"/>' * layout.columns
    columns = f'<style:columns fo:column-count="{layout.columns}">{each}</style:columns>'
    return f'<style:style style:name="columns" style:family="section"><style:section-properties>{columns}</style:section-properties></style:style>'


def _page_style(layout: Layout) -> str:
    side = (595 - layout.width) / 2
    return (
        '<style:page-layout style:name="page"><style:page-layout-properties fo:page-width="595pt" fo:page-height="842pt" '
        f'fo:margin-left="{side}pt" fo:margin-right="{side}pt" fo:margin-top="36pt" fo:margin-bottom="36pt"/>'
        '<style:header-style><style:header-footer-properties fo:min-height="30pt"/></style:header-style>'
        '<style:footer-style><style:header-footer-properties fo:min-height="30pt"/></style:footer-style></style:page-layout>'
    )  # fmt: skip


def _master_pages(layout: Layout) -> str:
    running = (
        f'<style:header><text:p text:style-name="running">{HEADER}</text:p></style:header><style:footer>'
        f'<text:p text:style-name="running">{FOOTER} <text:page-number/></text:p></style:footer>'
    )
    return (
        f'<style:master-page style:name="Rest" style:page-layout-name="page">{running if layout.header == "all" else ""}</style:master-page>'
        '<style:master-page style:name="Standard" style:page-layout-name="page" style:next-style-name="Rest">'
        f"{running if layout.header else ''}</style:master-page>"
    )


def _block(block: Block, number: int) -> str:
    text = escape(block.text)
    if block.kind == "table":
        return _table(block, number)
    if block.note:
        text += (
            f'<text:note text:note-class="footnote" text:id="n{number}"><text:note-citation>{number}</text:note-citation>'
            f'<text:note-body><text:p text:style-name="note">{escape(block.note)}</text:p></text:note-body></text:note>'
        )
    if block.kind == "item":
        return f'<text:list><text:list-item><text:p text:style-name="plain">{text}</text:p></text:list-item></text:list>'
    if block.kind == "heading":
        return f'<text:h text:outline-level="1" text:style-name="heading">{text}</text:h>'
    style = {"title": "title", "sidebar": "box"}.get(block.kind, "plain")
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def _table(block: Block, number: int) -> str:
    columns = max(sum(cell.columns for cell in row) for row in block.rows)
    rows = ""
    waiting = [0] * columns
    for row in block.rows:
        cells, column, cells_of_row = "", 0, iter(row)
        while column < columns:
            if waiting[column]:
                waiting[column] -= 1
                cells += "<table:covered-table-cell/>"
                column += 1
                continue
            cell = next(cells_of_row)
            for step in range(cell.columns):
                waiting[column + step] = cell.rows - 1
            cells += (
                f'<table:table-cell table:style-name="{block.ruled}" table:number-columns-spanned="{cell.columns}" '
                f'table:number-rows-spanned="{cell.rows}"><text:p text:style-name="cell">{escape(cell.text)}</text:p>'
                f"</table:table-cell>{'<table:covered-table-cell/>' * (cell.columns - 1)}"
            )
            column += cell.columns
        rows += f"<table:table-row>{cells}</table:table-row>"
    spec = f'<table:table-column table:number-columns-repeated="{columns}"/>'
    return f'<table:table table:name="t{number}">{spec}{rows}</table:table>'
