"""What is kept out of a collection, and what was taken out of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Self, get_args

from ragcrawler.catalogue.record import DocumentRecord

KeptOutKind = Literal["page", "spelling", "site"]


@dataclass(frozen=True, slots=True)
class KeptOutEntry:
    """A page or a site that no crawl and no import may bring.

    Attributes:
        pattern: the URL of a page (of a file, its path); or a site, as `domains=` takes it.
        kind: "page" for all spellings of the URL; "spelling" for this one, where its site tells spellings
            apart; "site".
        text_hash: SHA-256 of the text that was taken out with it, which is kept out at any address; "" where
            there was none.
        since: ISO 8601, UTC.
    """

    pattern: str
    kind: KeptOutKind
    text_hash: str = ""
    since: str = ""

    @classmethod
    def from_record(cls, record: Any) -> Self:
        """The entry of a record that may come from anywhere.

        Raises:
            ValueError: it is none.
        """
        try:
            entry = cls(**record)
        except TypeError as error:
            raise ValueError(f"{record!r} is no entry of what is kept out") from error
        values = (entry.pattern, entry.text_hash, entry.since)
        if entry.kind not in get_args(KeptOutKind) or not all(isinstance(each, str) for each in values):
            raise ValueError(f"{record!r} is no entry of what is kept out")
        return entry


class TakenOut(NamedTuple):
    """A document that somebody took out, of which no feed has told yet.

    Attributes:
        document_id: its id.
        url: canonical.
        site: host, with the port where the URL names one.
        chunks: points that went with it.
        last_seen: id of the run that saw it last.
    """

    document_id: str
    url: str
    site: str
    chunks: int
    last_seen: str

    @classmethod
    def of(cls, record: DocumentRecord) -> Self:
        """Of a document that is there still."""
        return cls(record.document_id, record.url, record.site, len(record.chunks), record.last_seen)


@dataclass(frozen=True, slots=True)
class ListChange:
    """A change of the list of what is kept out.

    Attributes:
        gone: entries that leave it.
        new: entries that come into it.
    """

    gone: Sequence[KeptOutEntry] = ()
    new: Sequence[KeptOutEntry] = ()


def adding(known: Iterable[KeptOutEntry], given: Iterable[KeptOutEntry]) -> ListChange:
    """Enter some; one that is there gets the other's text where it has none."""
    before = {(each.pattern, each.kind): each for each in known}
    gone: list[KeptOutEntry] = []
    new: dict[tuple[str, str], KeptOutEntry] = {}
    for entry in given:
        name = (entry.pattern, entry.kind)
        old = new.get(name) or before.get(name)
        if old is None:
            new[name] = entry
        elif entry.text_hash and not old.text_hash:
            gone += [old] if name not in new else []
            new[name] = replace(old, text_hash=entry.text_hash)
    return ListChange(gone, list(new.values()))


def allowing(known: Iterable[KeptOutEntry], patterns: Iterable[str]) -> ListChange:
    """Strike some; the text that went with one may then stand at every address that is not on the list."""
    entries, wanted = list(known), set(patterns)
    struck = [each for each in entries if each.pattern in wanted]
    texts = {each.text_hash for each in struck} - {""}
    sharing = [each for each in entries if each.text_hash in texts and each not in struck]
    return ListChange((*struck, *sharing), [replace(each, text_hash="") for each in sharing])
