"""docling's reader of workbooks, with cells as a reader sees them: formats applied, links kept.

Importing this module imports docling: import it where it is used.
"""

from typing import Any

from docling.backend.msexcel_backend import MsExcelDocumentBackend

from ragcrawler.conversion.office.cell_formats import shown_value
from ragcrawler.conversion.office.marks import Marked, leads_away, without_marks


def worksheet_reader(marked: Marked) -> type[MsExcelDocumentBackend]:
    """A reader for one workbook; where its links lead is remembered in `marked`."""

    class Worksheets(MsExcelDocumentBackend):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            for sheet in self.workbook.worksheets if self.workbook is not None else ():
                # not `iter_rows`, which makes a cell for every place of the used range
                for cell in list(sheet._cells.values()):
                    _show(cell, marked)

    return Worksheets


def _show(cell: Any, marked: Marked) -> None:
    if cell.value is None:
        return
    text = without_marks(shown_value(cell.value, cell.number_format, is_date=cell.is_date))
    address = getattr(cell.hyperlink, "target", None) or ""
    if address and leads_away(address):
        text = marked.link(text, address)
    if text != str(cell.value):
        cell.value = text
        cell.data_type = "s"  # not a formula, though it may begin with "="
