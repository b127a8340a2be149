"""The rows of a research: facts about one thing, put together."""

from ragcrawler.research.table.cells import CellValue, TableCell
from ragcrawler.research.table.rows import TableRow, build_rows

__all__ = ["CellValue", "TableCell", "TableRow", "build_rows"]
