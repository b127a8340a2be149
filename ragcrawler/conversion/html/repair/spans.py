"""Spans of table cells, clipped to the grid: extractors lay out every place that a cell claims."""

from lxml import html

from ragcrawler.conversion.html.tables import cells_of, rows_of, span, would_blow_up


def clip_spans(root: html.HtmlElement) -> None:
    """Let no cell span more rows than follow; take the spans of a table that they would blow up."""
    for table in root.iter("table"):
        rows = [cells_of(row) for row in rows_of(table)]
        drop_all = would_blow_up(rows)
        for index, row in enumerate(rows):
            for cell in row:
                if drop_all:
                    cell.attrib.pop("rowspan", None)
                    cell.attrib.pop("colspan", None)
                elif cell.get("rowspan") and span(cell, "rowspan") > len(rows) - index:
                    cell.set("rowspan", str(len(rows) - index))
