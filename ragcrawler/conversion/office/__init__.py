"""Office documents: DOCX, PPTX, XLSX, ODT, ODS and ODP through docling."""

from ragcrawler.conversion.office.converters import (
    convert_docx,
    convert_odp,
    convert_ods,
    convert_odt,
    convert_pptx,
    convert_xlsx,
)

__all__ = ["convert_docx", "convert_odp", "convert_ods", "convert_odt", "convert_pptx", "convert_xlsx"]
