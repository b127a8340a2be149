"""PDFs by Apache FOP, from XSL-FO."""

import subprocess
from html import escape
from itertools import count
from pathlib import Path

from pdf_makers.layout import FOOTER, HEADER, Block, Layout


def fop(layout: Layout, path: Path) -> bool:
    source = path.with_suffix(".fo")
    source.write_text(_document(layout), encoding="utf-8")
    subprocess.run(["fop", "-q", source, path], check=True, capture_output=True, timeout=180)
    return True


def _document(layout: Layout) -> str:
    side = (595 - layout.width) / 2
    numbers = count(1)
    title = "".join(_block(block, layout, 0) for block in layout.blocks if block.kind in {"title", "rotated"})
    rest = [block for block in layout.blocks if block.kind not in {"title", "rotated"}]
    body = "".join(_block(block, layout, next(numbers) if block.note else 0) for block in rest)
    margins = f'margin-left="{side}pt" margin-right="{side}pt" margin-top="36pt" margin-bottom="36pt"'
    masters = "".join(
        f'<fo:simple-page-master master-name="{name}" page-width="595pt" page-height="842pt" {margins}>'
        f'<fo:region-body margin-top="36pt" margin-bottom="36pt" column-count="{layout.columns}" column-gap="18pt"/>'
        f'<fo:region-before extent="20pt" region-name="{name}-before"/>'
        f'<fo:region-after extent="20pt" region-name="{name}-after"/></fo:simple-page-master>'
        for name in ("first", "rest")
    )
    sequence = (
        '<fo:page-sequence-master master-name="all"><fo:repeatable-page-master-alternatives>'
        '<fo:conditional-page-master-reference master-reference="first" page-position="first"/>'
        '<fo:conditional-page-master-reference master-reference="rest" page-position="rest"/>'
        "</fo:repeatable-page-master-alternatives></fo:page-sequence-master>"
    )
    on = {"": (), "first": ("first",), "all": ("first", "rest")}[layout.header]
    running = "".join(
        f'<fo:static-content flow-name="{name}-before"><fo:block font-size="8pt">{HEADER}</fo:block></fo:static-content>'
        f'<fo:static-content flow-name="{name}-after"><fo:block font-size="8pt" text-align="center">{FOOTER} '
        "<fo:page-number/></fo:block></fo:static-content>"
        for name in on
    )
    align = "justify" if layout.justified else "start"
    return (
        '<fo:root xmlns:fo="http://www.w3.org/1999/XSL/Format"><fo:layout-master-set>'
        f'{masters}{sequence}</fo:layout-master-set><fo:page-sequence master-reference="all" language="en">{running}'
        f'<fo:flow flow-name="xsl-region-body" font-family="serif" font-size="{layout.size}pt" text-align="{align}">'
        f'<fo:block span="all">{title}</fo:block>{body}</fo:flow></fo:page-sequence></fo:root>'
    )


def _block(block: Block, layout: Layout, number: int) -> str:
    text = escape(block.text)
    if block.kind == "table":
        return _table(block)
    if number:
        mark = f'<fo:inline font-size="60%" baseline-shift="super">{number}</fo:inline>'
        note = f'<fo:footnote-body><fo:block font-size="8pt">{mark} {escape(block.note)}</fo:block></fo:footnote-body>'
        text += f"<fo:footnote>{mark}{note}</fo:footnote>"
    gap = 'text-indent="1.5em"' if layout.indented else 'space-after="6pt"'
    item = (
        '<fo:list-block provisional-distance-between-starts="12pt"><fo:list-item><fo:list-item-label end-indent='
        '"label-end()"><fo:block>&#8226;</fo:block></fo:list-item-label><fo:list-item-body start-indent="body-start()">'
        "<fo:block>{}</fo:block></fo:list-item-body></fo:list-item></fo:list-block>"
    )
    boxed = (
        '<fo:block margin-left="80pt" border="0.5pt solid black" padding="6pt" background-color="#eee" '
        'font-size="85%" space-after="8pt" space-before="8pt">{}</fo:block>'
    )
    turned = (
        '<fo:block-container absolute-position="absolute" left="-40pt" top="80pt" width="12pt" height="300pt" '
        'reference-orientation="90"><fo:block font-size="8pt">{}</fo:block></fo:block-container>'
    )
    wraps = {
        "title": '<fo:block font-size="18pt" font-weight="bold" space-after="10pt">{}</fo:block>',
        "heading": '<fo:block font-size="13pt" font-weight="bold" space-before="8pt" space-after="4pt" '
        'keep-with-next="always" text-align="start">{}</fo:block>',
        "item": item,
        "sidebar": boxed,
        "rotated": turned,
    }
    return wraps.get(block.kind, f"<fo:block {gap}>{{}}</fo:block>").format(text)


def _table(block: Block) -> str:
    columns = max(sum(cell.columns for cell in row) for row in block.rows)
    edge = {"grid": 'border="0.5pt solid black"', "lines": 'border-bottom="0.5pt solid black"', "none": ""}[
        block.ruled
    ]
    is_long = any(len(cell.text) > 60 for row in block.rows for cell in row)
    widths = ["22%", "56%", "22%"] if is_long else [f"{90 / columns}%"] * columns
    specs = "".join(f'<fo:table-column column-width="{width}"/>' for width in widths)
    rows = ""
    for row in block.rows:
        cells = "".join(
            f'<fo:table-cell {edge} padding="2pt" number-columns-spanned="{cell.columns}" '
            f'number-rows-spanned="{cell.rows}"><fo:block>{escape(cell.text) or "&#160;"}</fo:block></fo:table-cell>'
            for cell in row
        )
        rows += f"<fo:table-row>{cells}</fo:table-row>"
    return (
        f'<fo:table table-layout="fixed" width="100%" text-align="start" space-after="8pt">{specs}'
        f"<fo:table-body>{rows}</fo:table-body></fo:table>"
    )
