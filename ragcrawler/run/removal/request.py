"""What somebody wants removed, and which documents that means."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Self

from ragcrawler.bootstrap.start_error import StartError
from ragcrawler.catalogue import CatalogueReader, DocumentRecord, KeptOutEntry
from ragcrawler.frontier.filters.kept_out import KeptOut, page_entry, site_entry
from ragcrawler.urls.errors import ScopeError, UrlError
from ragcrawler.urls.identity import document_id, exact_document_id


class TargetError(StartError):
    """Something that cannot be removed or allowed: no page, no site, no document, or not on the list."""


@dataclass(frozen=True, slots=True)
class RemovalRequest:
    """What is to be removed.

    Attributes:
        targets: URLs of pages, paths of files, and domains as `domains=` takes them.
        document_ids: ids of documents.
        keeps_out: whether it may not come back.
        everywhere: whether feeds of earlier runs and researches lose it too.
    """

    targets: tuple[str, ...] = ()
    document_ids: tuple[str, ...] = ()
    keeps_out: bool = False
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Removal:
    """A removal whose targets are known; the catalogue keeps it until it has come to its end.

    Attributes:
        entries: what it covers.
        everywhere: as it was asked for.
    """

    entries: tuple[KeptOutEntry, ...]
    everywhere: bool = False

    def to_json(self) -> str:
        """For the catalogue."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote."""
        values: Mapping[str, object] = json.loads(text)
        entries = values["entries"]
        assert isinstance(entries, list)  # noqa: S101 - our own
        return cls(tuple(KeptOutEntry(**each) for each in entries), bool(values["everywhere"]))


def find_removal(catalogue: CatalogueReader, request: RemovalRequest) -> Removal:
    """The removal that a request means.

    A page stands for its text: with a URL go the others at which the text was found.

    Raises:
        TargetError: a target is none, or there is no such document.
    """
    found = [entry for target in request.targets for entry in _entries_of(catalogue, target)]
    taken_out = {each.document_id: each for each in catalogue.taken_out()}
    for each in request.document_ids:
        if record := catalogue.get(each):
            found += _entries_of_document(record)
        elif each in taken_out:
            found.append(KeptOutEntry(taken_out[each].url, "page"))
        else:
            raise TargetError(f"there is no document {each!r}: `scrapy search --json` shows the ids of hits")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    entries = dict.fromkeys(replace(entry, since=now) for entry in found)
    return Removal(tuple(entries), request.everywhere)


def pattern_of(catalogue: CatalogueReader, target: str) -> str:
    """The pattern under which a target stands on the list of what is kept out.

    Raises:
        TargetError: it is neither a URL, nor a domain.
    """
    known = {each.pattern for each in catalogue.kept_out()}
    return target if target in known else _entry_of(target).pattern


def covered_documents(catalogue: CatalogueReader, kept_out: KeptOut) -> Iterator[DocumentRecord]:
    """The documents whose address or text is covered, in the order of their ids."""
    if not kept_out.entries:
        return
    covered = {each for each, url in catalogue.urls() if kept_out.covers(url)}
    texts = {each.text_hash for each in kept_out.entries} - {""}
    covered |= {each.document_id for text in texts for each in catalogue.with_text(text)}
    yield from filter(None, map(catalogue.get, sorted(covered)))


def _entries_of(catalogue: CatalogueReader, target: str) -> Iterable[KeptOutEntry]:
    if (record := catalogue.by_url(target)) is not None:  # the path of a file is no URL
        return _entries_of_document(record)
    entry = _entry_of(target)
    if entry.kind == "site":
        return [entry]
    record = catalogue.by_url(entry.pattern) or catalogue.get(document_id(entry.pattern))
    return [entry] if record is None else [entry, *_entries_of_document(record)]


def _entry_of(target: str) -> KeptOutEntry:
    try:
        return page_entry(target) if "://" in target else site_entry(target)
    except UrlError as error:
        raise TargetError(str(error)) from error
    except ScopeError as error:
        raise TargetError(
            f"{target!r} is neither the URL of a page, https://a.org/page say, nor a domain, a.org say, nor "
            "the address of a stored document"
        ) from error


def _entries_of_document(record: DocumentRecord) -> Iterable[KeptOutEntry]:
    is_apart = record.document_id == exact_document_id(record.url)
    yield KeptOutEntry(record.url, "spelling" if is_apart else "page", record.content_hash)
    for alias in record.aliases:
        yield KeptOutEntry(alias, "page", record.content_hash)
