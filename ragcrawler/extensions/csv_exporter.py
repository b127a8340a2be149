"""CSV feeds that a spreadsheet can open."""

from typing import Any

from scrapy.exporters import CsvItemExporter

# What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection), full-width forms included.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


class DefusedCsvItemExporter(CsvItemExporter):
    """Puts `'` before text that a spreadsheet would run: a title is a stranger's, `=HYPERLINK(...)` say."""

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        """The cell; numbers stay numbers."""
        cell = super().serialize_field(field, name, value)
        text = cell if isinstance(cell, str | int | float | None) else str(cell)
        return f"'{text}" if isinstance(text, str) and text.lstrip(" ").startswith(_FORMULA) else text
