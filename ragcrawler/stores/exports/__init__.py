"""A collection as a file, and back: JSON lines or Parquet, with or without vectors."""

from ragcrawler.stores.exports.header import ExportError, ExportHeader
from ragcrawler.stores.exports.open import ExportFormat, read_export, write_export

__all__ = ["ExportError", "ExportFormat", "ExportHeader", "read_export", "write_export"]
