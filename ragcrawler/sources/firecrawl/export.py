"""Read an export record by record, however big the file is."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import ijson
from ijson.common import JSONError, ObjectBuilder

_RECORD = "data.item"
_CHUNK_BYTES = 64 * 1024
MAX_RECORD_BYTES = 64 * 1024 * 1024


class FireCrawlExportError(ValueError):
    """The file cannot be read to its end; says where and why."""


@dataclass(slots=True)
class Export:
    """A file that was opened.

    Attributes:
        base_url: as the file says, "" until it was read.
        timestamp: likewise.
        records: how many were read.
    """

    path: Path
    base_url: str = ""
    timestamp: str = ""
    records: int = 0

    @property
    def fetched_at(self) -> str:
        """The timestamp as ISO 8601, UTC, whole seconds; "" where it is none. One without a zone is UTC."""
        try:
            when = datetime.fromisoformat(self.timestamp)
        except ValueError:
            return ""
        when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
        return when.isoformat(timespec="seconds")

    def read(self, max_record_bytes: int = MAX_RECORD_BYTES) -> Iterator[Any]:
        """Each entry of `data`, of whatever type, in order.

        Raises:
            FireCrawlExportError: it is cut, no JSON, without `data`, or one record is too big.
            OSError: it cannot be read.
        """
        self.records = 0
        has_data = False
        with self.path.open("rb") as file:
            source = _BoundedSource(file, max_record_bytes)
            builder: Any = None
            try:
                for prefix, event, value in ijson.parse(source, use_float=True, buf_size=_CHUNK_BYTES):
                    if prefix == "data" and event == "start_array":
                        has_data = True
                    elif prefix == _RECORD or prefix.startswith(f"{_RECORD}."):
                        builder = builder or ObjectBuilder()  # type: ignore[no-untyped-call]
                        builder.event(event, value)
                        if prefix == _RECORD and event not in ("start_map", "start_array", "map_key"):
                            record, builder = builder.value, None
                            source.restart()
                            yield record
                            self.records += 1
                    elif prefix in ("base_url", "timestamp") and event == "string":
                        setattr(self, prefix, value)
            except (JSONError, UnicodeDecodeError, RecursionError, _TooLargeError) as error:
                raise FireCrawlExportError(f"record {self.records} cannot be read: {_said(error)}") from error
        if not has_data:
            raise FireCrawlExportError('the file has no list "data" of pages: is it an export of FireCrawl?')


class _TooLargeError(Exception):
    """One record is too big."""


class _BoundedSource:
    """A file that refuses to go on when a record does not end."""

    def __init__(self, file: BinaryIO, max_bytes: int) -> None:
        self._file = file
        self._max_bytes = max_bytes
        self._bytes = 0

    def restart(self) -> None:
        """A record has ended."""
        self._bytes = 0

    def read(self, size: int) -> bytes:
        """The next bytes.

        Raises:
            _TooLargeError: they are too many for one record.
        """
        self._bytes += size
        if self._bytes > self._max_bytes:
            raise _TooLargeError(f"it has more than {self._max_bytes} bytes")
        return self._file.read(size)


def _said(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
