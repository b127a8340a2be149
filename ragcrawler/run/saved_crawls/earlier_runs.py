"""Results of a crawl's earlier runs, so that its last run writes whole feeds and lists of lost pages."""

import json
import logging
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

from ragcrawler.frontier.states.protocol import Notes, Status, key64
from ragcrawler.items import Document, DocumentState
from ragcrawler.run.indexing.collection import Collection as Index
from ragcrawler.run.outcomes import UNCHANGED
from ragcrawler.run.reporting.failures import Failure

logger = logging.getLogger(__name__)

_CHANGED = "changed_document"
Fate = Callable[[str], tuple[Status, str] | None]


def note_state(notes: Notes, document: Document) -> None:
    """Remember what the catalogue cannot tell a later run: that a document was stored before and changed."""
    if document.state == "changed":
        notes.add_member(_CHANGED, 0, key64(document.id))


async def earlier_documents(
    index: Index, runs: Collection[str], notes: Notes, fate: Fate
) -> AsyncIterator[Document]:
    """The documents that earlier runs saw, and this one did not see again.

    Args:
        index: collection and catalogue.
        runs: ids of the earlier runs.
        notes: of the crawl.
        fate: what became of a URL.

    Raises:
        CatalogueError: the catalogue cannot be read.
    """
    records = await index.with_catalogue(
        lambda catalogue: [
            record
            for site in catalogue.sites()
            for record in catalogue.documents(site)
            if record.last_seen in runs and not record.is_unfinished
        ]
    )
    for record in records:
        status, reason = fate(record.url) or ("open", "")
        document = (
            await index.document(record.document_id) if status == "fetched" or reason == UNCHANGED else None
        )
        if document is not None:
            yield replace(document, state=_state(record.document_id, record.first_seen in runs, notes))


def earlier_failures(folders: Collection[Path], fate: Fate) -> Iterator[Failure]:
    """The pages that earlier runs lost, and that are still lost, each once."""
    seen: set[str] = set()
    for folder in folders:
        for failure in _failures(folder / "failures.jsonl"):
            status, _ = fate(failure.url) or ("failed", "")
            if status == "failed" and failure.url not in seen:
                seen.add(failure.url)
                yield failure


def _failures(path: Path) -> Iterator[Failure]:
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            yield Failure(**json.loads(line))
        except (ValueError, TypeError):
            logger.warning("%s: a line that a break has cut is left out", path)


def _state(document_id: str, is_new: bool, notes: Notes) -> DocumentState:
    if is_new:
        return "new"
    return "changed" if notes.has_member(_CHANGED, 0, key64(document_id)) else "unchanged"
