"""The texts of a collection as files: Markdown, JSON Lines, llms.txt."""

from ragcrawler.catalogue.exports.documents import ExportedDocument, exported_documents
from ragcrawler.catalogue.exports.llms_text import write_llms_text
from ragcrawler.catalogue.exports.markdown_folder import FolderError, write_markdown_folder
from ragcrawler.catalogue.exports.write import DocumentExport, ExportCounts, write_json_lines

__all__ = [
    "DocumentExport",
    "ExportCounts",
    "ExportedDocument",
    "FolderError",
    "exported_documents",
    "write_json_lines",
    "write_llms_text",
    "write_markdown_folder",
]
