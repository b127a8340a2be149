"""What reads PDFs: each gives, for a path, the text as blocks and tables."""

import sys
from collections.abc import Callable
from pathlib import Path

from pdf_makers.layout import Layout
from pdf_makers.score import Extracted, of_lines, of_markdown
from ragcrawler.conversion import ConversionError, ConversionLimits, convert


def by_conversion(
    path: Path, limits: ConversionLimits | None = None, suffix: str = ".md"
) -> Callable[[Layout], Extracted]:
    """Our Markdown, which stays beside the PDF; a PDF that cannot be converted is empty."""
    url = f"https://docs.example.org/{path.name}"
    try:
        markdown = convert(path.read_bytes(), "application/pdf", url, limits=limits).markdown
    except ConversionError as error:
        print(f"{path.name}: {error.reason}: {error}", file=sys.stderr)
        markdown = ""
    path.with_suffix(suffix).write_text(markdown, encoding="utf-8")
    return lambda _: of_markdown(markdown)


def by_pypdfium2(path: Path) -> Callable[[Layout], Extracted]:
    """Plain text."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    return of_lines("\n\n".join(page.get_textpage().get_text_bounded() for page in document))


def by_pdfplumber(path: Path) -> Callable[[Layout], Extracted]:
    """Plain text and tables."""
    import pdfplumber

    with pdfplumber.open(path) as document:
        text = "\n\n".join(page.extract_text() or "" for page in document.pages)
        tables = [table for page in document.pages for table in page.extract_tables()]
    return of_lines(text, [[[cell or "" for cell in row] for row in table] for table in tables])
