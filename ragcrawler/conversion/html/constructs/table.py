"""Tables as GFM: a header, one line a row, spanning cells repeated; layout tables as their content."""

from lxml import html

from ragcrawler.conversion.html.inline import code_span
from ragcrawler.conversion.html.renderer import Renderer
from ragcrawler.conversion.html.tables import cells_of, filled_grid, is_data_table, rows_of


def render_table(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """A data table as one block, with its caption before it; any other table as the blocks of its cells."""
    renderer.enter(element)
    blocks = [block for caption in element.findall("caption") for block in renderer.blocks(caption)]
    if not is_data_table(element):
        in_order = [cell for row in rows_of(element) for cell in cells_of(row)]
        return [*blocks, *(block for cell in in_order for block in _cell_blocks(renderer, cell))]
    texts: dict[html.HtmlElement, str] = {}
    lines = []
    for row in filled_grid(element, renderer.work):
        cells = [_cell(renderer, cell, texts) for cell in row]
        if any(cells):
            lines.append("| " + " | ".join(cells) + " |")
            if len(lines) == 1:
                lines.append("|" + " --- |" * len(cells))
    return [*blocks, "\n".join(lines)]


def _cell(renderer: Renderer, cell: html.HtmlElement | None, texts: dict[html.HtmlElement, str]) -> str:
    if cell is None:
        return ""
    if cell not in texts:
        blocks = _cell_blocks(renderer, cell)
        parts = [_code_lines(block) if block.startswith("```") else block for block in blocks]
        text = "<br>".join(parts).replace("\\\n", "<br>").replace("\n", "<br>")
        texts[cell] = text.replace("|", "\\|")
    return texts[cell]


def _cell_blocks(renderer: Renderer, cell: html.HtmlElement) -> list[str]:
    row = cell.getparent()
    if cell.getprevious() is None and row is not None:
        renderer.enter(row)
    renderer.enter(cell)
    return renderer.blocks(cell)


def _code_lines(block: str) -> str:
    return "<br>".join(code_span(line) for line in block.split("\n")[1:-1] if line.strip())
