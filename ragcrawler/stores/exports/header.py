"""The header of an export: format, version, models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragcrawler.stores.protocol import CollectionModels
from ragcrawler.stores.remembered_models import models_from_record, models_record

_FORMAT = "ragcrawler chunks"
_VERSION = 1


class ExportError(Exception):
    """A file that is no export, or not a whole one; names the line or row, and what to do."""


@dataclass(frozen=True, slots=True)
class ExportHeader:
    """The beginning of every export.

    Attributes:
        models: of the collection that it was made from.
        has_vectors: whether every chunk has them; else whoever reads it embeds the chunks.
        kept_out: what the collection keeps out, a record each: it is kept out wherever the export comes to.
    """

    models: CollectionModels
    has_vectors: bool
    kept_out: Sequence[Mapping[str, str]] = ()

    def record(self) -> dict[str, Any]:
        return {
            "format": _FORMAT,
            "version": _VERSION,
            "has_vectors": self.has_vectors,
            "models": models_record(self.models),
            "kept_out": list(self.kept_out),
        }


def header_from_record(record: Any) -> ExportHeader:
    """The header of a record.

    Raises:
        ExportError: it is no header, or of a later version.
    """
    if not isinstance(record, Mapping) or record.get("format") != _FORMAT:
        raise ExportError("This is no export of ragcrawler: make one with `scrapy export`.")
    if record.get("version") != _VERSION:
        raise ExportError(
            f"This export has version {record.get('version')!r} of the format, and this program reads "
            f"{_VERSION}: upgrade ragcrawler."
        )
    try:
        models, has_vectors = models_from_record(record["models"]), bool(record["has_vectors"])
        return ExportHeader(models, has_vectors, [dict(each) for each in record.get("kept_out", ())])
    except (KeyError, TypeError, ValueError) as error:
        raise ExportError(f"The header of the export is damaged ({error}): export again.") from error
