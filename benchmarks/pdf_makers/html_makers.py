"""PDFs by what prints HTML: WeasyPrint, Chromium, wkhtmltopdf."""

import subprocess
from html import escape
from pathlib import Path

from pdf_makers.layout import FOOTER, HEADER, Block, Layout


def weasyprint(layout: Layout, path: Path) -> bool:
    source = _source(layout, path, footnotes=True)
    subprocess.run(["weasyprint", "-q", source, path], check=True, capture_output=True, timeout=120)
    return True


def chromium(layout: Layout, path: Path) -> bool:
    source = _source(layout, path, footnotes=False)
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-pdf-header-footer",
        f"--print-to-pdf={path}",
    ]
    profile = f"--user-data-dir={path.parent / 'chromium'}"
    subprocess.run(
        ["chromium", *options, profile, source.as_uri()], check=True, capture_output=True, timeout=120
    )
    return True


def wkhtmltopdf(layout: Layout, path: Path) -> bool:
    if layout.columns > 1 or any(block.kind == "rotated" for block in layout.blocks):
        return False  # its engine knows neither
    source = _source(layout, path, footnotes=False)
    margins = ["-L", "25mm", "-R", "25mm", "-T", "25mm", "-B", "25mm"]
    header = ["--header-left", HEADER, "--footer-center", f"{FOOTER} [page]"] if layout.header else []
    command = ["wkhtmltopdf", "-q", "-s", "A4", *margins, *header, source, path]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return True


def _source(layout: Layout, path: Path, *, footnotes: bool) -> Path:
    source = path.with_suffix(".html")
    source.write_text(page(layout, footnotes=footnotes), encoding="utf-8")
    return source


def page(layout: Layout, *, footnotes: bool) -> str:
    """The document as HTML; without footnotes of the page, they stand at its end."""
    notes = [block.note for block in layout.blocks if block.note]
    endnotes = (
        ""
        if footnotes or not notes
        else "".join(
            f'<p class="note"><sup>{number}</sup> {escape(note)}</p>'
            for number, note in enumerate(notes, start=1)
        )
    )
    numbers = {note: number for number, note in enumerate(notes, start=1)}
    body, title = "", ""
    for block in layout.blocks:
        if block.kind == "title":
            title = f"<h1>{escape(block.text)}</h1>"
        else:
            body += _block(block, numbers.get(block.note, 0), footnotes=footnotes)
    return (
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{layout.name}</title>'
        f"<style>{_style(layout)}</style>{title}<div class=body>{body}</div>{endnotes}</html>"
    )


def _style(layout: Layout) -> str:
    side = (595 - layout.width) / 2
    boxes = (
        f'@top-left{{content:"{HEADER}";font-size:8pt}}'
        f'@bottom-center{{content:"{FOOTER} " counter(page);font-size:8pt}}'
    )
    at = {"": "@page{", "first": "@page:first{", "all": "@page{"}[layout.header]
    running = f"{at}{boxes if layout.header else ''}}}"
    paragraph = "margin:0;text-indent:1.5em" if layout.indented else "margin:0 0 .7em"
    align = "text-align:justify;hyphens:auto" if layout.justified else ""
    columns = f"columns:{layout.columns};column-gap:18pt;column-fill:balance" if layout.columns > 1 else ""
    return (
        f"@page{{size:A4;margin:70pt {side}pt}}{running}body{{font:{layout.size}pt 'Liberation Serif';margin:0}}"
        f".body{{{columns};{align}}}p{{{paragraph}}}h1{{font-size:18pt}}h2{{font-size:13pt;text-align:left}}"
        ".note{font-size:8pt;float:footnote;text-align:left}p.note{float:none;text-indent:0;margin:0}"
        "sup{font-size:60%}table{border-collapse:collapse;margin:.7em 0;text-align:left}"
        "td,th{padding:2pt 5pt;vertical-align:top;height:1.2em}.grid td,.grid th{border:.5pt solid}"
        ".lines tr{border-bottom:.5pt solid}"
        ".aside{float:right;width:150pt;border:.5pt solid;padding:6pt;margin:0 0 6pt 12pt;font-size:85%;background:#eee}"
        ".aside p{text-indent:0;margin:0}.turned{position:absolute;left:-40pt;top:120pt;width:300pt;height:12pt;"
        "transform-origin:0 0;transform:translateY(300pt) rotate(-90deg);font-size:8pt}"
    )


def _block(block: Block, number: int, *, footnotes: bool) -> str:
    text = escape(block.text)
    if block.kind == "table":
        return _table(block)
    if block.note:
        text += f'<span class="note">{escape(block.note)}</span>' if footnotes else f"<sup>{number}</sup>"
    wraps = {
        "heading": "<h2>{}</h2>",
        "item": "<ul style='margin:0'><li>{}</li></ul>",
        "sidebar": "<div class=aside><p>{}</p></div>",
        "rotated": "<div class=turned>{}</div>",
    }
    return wraps.get(block.kind, "<p>{}</p>").format(text)


def _table(block: Block) -> str:
    rows = ""
    for index, row in enumerate(block.rows):
        tag = "td" if index else "th"
        cells = "".join(
            f"<{tag} colspan={cell.columns} rowspan={cell.rows}>{escape(cell.text)}</{tag}>" for cell in row
        )
        rows += f"<tr>{cells}</tr>"
    return f"<table class={block.ruled}>{rows}</table>"
