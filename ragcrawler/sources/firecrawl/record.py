"""One record of an export: a page, or the reason why it is none."""

import re
from dataclasses import dataclass
from typing import Any, Literal

RecordReason = Literal["broken_record", "cut_export", "listed_twice"]

_HTML = re.compile(r"\s*<(?:!doctype|html|head|body|main|article|section|div|p|h1)\b", re.IGNORECASE)
_FIRST_ERROR = 400


class RecordError(ValueError):
    """A record that is broken; says what is missing."""


@dataclass(frozen=True, slots=True)
class ExportedPage:
    """A page of an export.

    Attributes:
        source_url: as it is written there.
        text: its Markdown, else its content.
        is_html: the text is HTML.
        title: "" where it has none.
        description: likewise.
        language: likewise.
        status: of the answer that it came with.
    """

    source_url: str
    text: str
    is_html: bool = False
    title: str = ""
    description: str = ""
    language: str = ""
    status: int = 200

    @property
    def is_error(self) -> bool:
        """Whether the site answered with an error."""
        return self.status >= _FIRST_ERROR


def read_record(record: Any) -> ExportedPage:
    """The page of a record.

    Raises:
        RecordError: a field that it needs is missing, or of another type.
    """
    if not isinstance(record, dict):
        raise RecordError(f"it is {type(record).__name__}, not an object")
    metadata = record.get("metadata")
    if not isinstance(metadata, dict):
        raise RecordError("it has no metadata")
    source_url = _text(metadata, "sourceURL")
    if not source_url:
        raise RecordError("it has no metadata.sourceURL")
    markdown, content = _text(record, "markdown"), _text(record, "content")
    if not (markdown.strip() or content.strip()):
        raise RecordError("it has no text in markdown or content")
    is_html = not markdown.strip() and _HTML.match(content) is not None
    status = metadata.get("pageStatusCode")
    return ExportedPage(
        source_url=source_url,
        text=markdown if markdown.strip() else content,
        is_html=is_html,
        title=_text(metadata, "title"),
        description=_text(metadata, "description"),
        language=_text(metadata, "language"),
        status=status if isinstance(status, int) else 200,
    )


def _text(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""
