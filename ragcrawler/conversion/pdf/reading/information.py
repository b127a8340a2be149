"""The document information dictionary of a PDF, as far as it can be believed."""

import re
from collections.abc import Iterator, Mapping, Sequence

from ragcrawler.conversion.pdf.reading.document_reader import PdfContent
from ragcrawler.items import Metadata

_PLACEHOLDERS = frozenset({"(unspecified)", "(anonymous)", "unspecified", "anonymous", "unknown"})
_DATE = re.compile(r"(?:D:)?(\d{4})(\d{2})?(\d{2})?")  # PDF 32000-1, 7.9.4
_FILE_NAME = re.compile(
    r"^(?:microsoft \w+ - .*|untitled.*|[\w.~-]+\.(?:docx?|tex|dvi|indd|pdf|odt|qxd|html?))$", re.IGNORECASE
)


def pdf_title(information: Mapping[str, str]) -> str:
    """The title, "" where a word processor put its file's name there."""
    title = " ".join(information.get("Title", "").split())
    return "" if _FILE_NAME.match(title) else title


def pdf_metadata(content: PdfContent, converter: str, warnings: Sequence[str]) -> Metadata:
    """The metadata of a PDF, with warnings about lost contents."""
    said = {key: text for key, text in content.information.items() if text not in _PLACEHOLDERS}
    damaged = (f"page {number} is damaged and was left out" for number in content.damaged_pages)
    return Metadata(
        description=said.get("Subject", ""),
        language=content.language,
        author=said.get("Author", ""),
        published=pdf_date(said.get("CreationDate", "")),
        modified=pdf_date(said.get("ModDate", "")),
        media_type="application/pdf",
        converter=converter,
        pages=content.page_count,
        hidden_characters=sum(page.hidden_characters for page in content.pages),
        warnings=(*damaged, *_left_out(content), *warnings),
    )


def _left_out(content: PdfContent) -> Iterator[str]:
    """A sentence for each kind of text that is not read."""
    pages = content.pages
    counts = {
        "characters that stand sideways": sum(page.turned_characters for page in pages),
        "filled fields of forms": sum(page.beside_text.fields for page in pages),
        "notes beside the text": sum(page.beside_text.notes for page in pages),
        "attached files": content.attachments,
    }
    return (f"{count} {kind} were left out" for kind, count in counts.items() if count)


def pdf_date(text: str) -> str:
    """ISO 8601 of `D:20240131...`, "" where it is no date."""
    found = _DATE.match(text)
    return "-".join(part for part in found.groups() if part) if found else ""
