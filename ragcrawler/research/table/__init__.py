"""The rows of a research: facts about one thing, put together."""

from ragcrawler.research.table.cells import Cell, CellValue
from ragcrawler.research.table.rows import TableRow, build_rows

__all__ = ["Cell", "CellValue", "TableRow", "build_rows"]
