"""The document information dictionary of a PDF, as far as it can be believed."""

import re
from collections.abc import Mapping

_DATE = re.compile(r"(?:D:)?(\d{4})(\d{2})?(\d{2})?")  # PDF 32000-1, 7.9.4
_FILE_NAME = re.compile(
    r"^(?:microsoft \w+ - .*|untitled.*|[\w.~-]+\.(?:docx?|tex|dvi|indd|pdf|odt|qxd|html?))$", re.IGNORECASE
)


def pdf_title(information: Mapping[str, str]) -> str:
    """The title, "" where a word processor put its file's name there."""
    title = " ".join(information.get("Title", "").split())
    return "" if _FILE_NAME.match(title) else title


def pdf_date(text: str) -> str:
    """ISO 8601 of `D:20240131...`, "" where it is no date."""
    found = _DATE.match(text)
    return "-".join(part for part in found.groups() if part) if found else ""
