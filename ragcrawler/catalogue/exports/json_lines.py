"""Documents as JSON Lines."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import IO, Any

from ragcrawler.catalogue.exports.documents import ExportedDocument


def write_json_lines(out: IO[bytes], documents: Iterable[ExportedDocument]) -> int:
    """Write one line a document, without its chunks, which `scrapy export` writes; how many there were.

    Raises:
        OSError: it cannot be written.
    """
    written = 0
    for written, exported in enumerate(documents, start=1):  # noqa: B007 - the last number is the result
        # Half of a surrogate pair is no text; as an escape every reader of JSON takes it.
        out.write(json.dumps(_record(exported)).encode("ascii") + b"\n")
    return written


def _record(exported: ExportedDocument) -> dict[str, Any]:
    document = exported.document
    return {
        "id": document.id,
        "url": document.url,
        "aliases": list(exported.aliases),
        "title": document.title,
        "language": document.language,
        "markdown": document.markdown,
        "content_hash": document.content_hash,
        "fetched_at": document.fetched_at,
        "last_modified": document.last_modified,
        "metadata": asdict(document.metadata),
        "anchors": [asdict(anchor) for anchor in document.anchors],
        "is_composed": exported.is_composed,
    }
