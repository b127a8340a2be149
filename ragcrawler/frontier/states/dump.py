"""A frontier's state as JSON Lines, and back: from one kind of state to another, or to look at.

The first line says which version wrote it. Each further one holds a URL, a host or a note. Leases are not
dumped: the URLs of a crawl that stands still are nobody's. Those that are parked stay so.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields, replace
from typing import Any, Protocol

from ragcrawler.frontier.states.protocol import FrontierState, HostRows, Notes, UrlRecords
from ragcrawler.frontier.states.records import HostRow, NoteEntry, StoredRecord, UrlRecord

_VERSION = 1
# Leases are not dumped, nor are their numbers.
_RECORD = frozenset(field.name for field in fields(UrlRecord)) - {"lease"}
_ROW = frozenset(field.name for field in fields(HostRow))
_LINES_A_TRANSACTION = 10_000


class DumpError(Exception):
    """A line that no dump has; the message says which and why."""


class DumpableUrls(UrlRecords, Protocol):
    """Records that can be dumped."""

    def records(self) -> Iterator[StoredRecord]:
        """Everything, in the order in which it was entered."""

    def restore(self, stored: StoredRecord) -> None:
        """Enter a record of a dump, behind those that are there; its key must be new."""


class DumpableHosts(HostRows, Protocol):
    """Rows that can be dumped."""

    def rows(self) -> Iterator[tuple[str, HostRow]]:
        """All rows, each with its host."""

    def restore(self, site: str, row: HostRow) -> None:
        """Enter a row of a dump."""


class DumpableNotes(Notes, Protocol):
    """Notes that can be dumped."""

    def entries(self) -> Iterator[NoteEntry]:
        """Everything."""


class DumpableState(FrontierState, Protocol):
    """A state that can be dumped, and filled from a dump."""

    @property
    def urls(self) -> DumpableUrls:
        """The records of URLs."""

    @property
    def hosts(self) -> DumpableHosts:
        """The rows of hosts."""

    @property
    def notes(self) -> DumpableNotes:
        """All else."""

    def reclaim(self) -> int:
        """Take over from processes that all are dead: their leases end; how many of records."""


def dump_lines(state: DumpableState) -> Iterator[str]:
    """The whole state, a line at a time."""
    yield _line({"ragcrawler_frontier": _VERSION})
    for stored in state.urls.records():
        record = {name: value for name, value in asdict(stored.record).items() if name in _RECORD}
        yield _line({"url": record, "is_parked": stored.is_parked})
    for site, row in state.hosts.rows():
        if (idle := replace(row, in_flight=0)) != HostRow():
            yield _line({"host": site, "row": asdict(idle)})
    for note in state.notes.entries():
        yield _line({"note": note._asdict()})


def import_lines(state: DumpableState, lines: Iterable[str]) -> int:
    """Enter a dump into an empty state; how many URLs it holds.

    Raises:
        DumpError: a line is broken, the state knows URLs already, or the dump is of another version.
    """
    if state.urls.counts().seen:
        raise DumpError("the state knows URLs already: import into an empty one")
    urls = 0
    numbered = enumerate(lines, start=1)
    _check_head(next(numbered, (1, ""))[1])
    is_left = True
    while is_left:
        is_left = False
        with state.transaction():
            for number, line in numbered:
                urls += _enter(state, line, number)
                if number % _LINES_A_TRANSACTION == 0:
                    is_left = True
                    break
    return urls


def _check_head(line: str) -> None:
    try:
        version = json.loads(line)["ragcrawler_frontier"]
    except (ValueError, KeyError, TypeError) as error:
        raise DumpError("line 1 is not that of a dump of `scrapy crawls dump`") from error
    if version != _VERSION:
        raise DumpError(f"the dump is of version {version}, and this program reads {_VERSION}")


def _enter(state: DumpableState, line: str, number: int) -> int:
    try:
        values: dict[str, Any] = json.loads(line)
        if "url" in values:
            record = UrlRecord(**_only(values["url"], _RECORD))
            state.urls.restore(StoredRecord(record, bool(values["is_parked"])))
            return 1
        if "host" in values:
            state.hosts.restore(values["host"], HostRow(**_only(values["row"], _ROW)))
        else:
            _enter_note(state, NoteEntry(**values["note"]))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DumpError(f"line {number} is not that of a dump: {error}") from error
    return 0


def _enter_note(state: DumpableState, note: NoteEntry) -> None:
    if note.form == "text":
        state.notes.put(note.kind, note.key, str(note.value))
    elif note.form == "member":
        state.notes.add_member(note.kind, note.key, int(note.value))
    else:
        state.notes.count(note.kind, note.key, int(note.value))


def _only(values: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    if values.keys() != names:
        raise ValueError(f"it has the fields {sorted(values)} and needs {sorted(names)}")
    return values


def _line(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False)
