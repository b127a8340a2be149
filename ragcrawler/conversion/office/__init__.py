"""Office documents: DOCX, PPTX, XLSX and ODT through docling."""

from ragcrawler.conversion.office.converters import convert_docx, convert_odt, convert_pptx, convert_xlsx

__all__ = ["convert_docx", "convert_odt", "convert_pptx", "convert_xlsx"]
