"""Which chunks of a document are written, and how."""

from typing import Any

import pytest

from ragcrawler.catalogue import ChunkRecord, DocumentRecord
from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.run.indexing.changes import find_changes

VECTORS = Vectors((1.0, 0.0), SparseVector((1,), (1.0,)))


def chunk(embed_hash: str = "text", *, position: int = 0, vectors: Vectors | None = None) -> SemanticChunk:
    return SemanticChunk(
        id="c",
        chunk_id="d_chunk_0",
        document_id="d",
        content="text",
        content_hash="text",
        token_count=1,
        embed_text="text",
        start=0,
        end=4,
        position=position,
        embed_hash=embed_hash,
        vectors=vectors,
    )


def record(*marked: SemanticChunk, is_unfinished: bool = False) -> DocumentRecord:
    marks = tuple(ChunkRecord.of(each) for each in marked)
    return DocumentRecord(
        "d", "https://a.example/d", "a.example", "p", "c", "p", chunks=marks, is_unfinished=is_unfinished
    )


@pytest.mark.parametrize(
    ("now", "stored", "before", "kind"),
    [
        (chunk(vectors=VECTORS), {}, None, "new"),
        (chunk("new text", vectors=VECTORS), {"c": "text"}, record(chunk()), "reembedded"),
        # Its vectors were made for nothing: the store has those of the same text.
        (chunk(vectors=VECTORS), {"c": "text"}, record(chunk()), "unchanged"),
        (chunk(vectors=VECTORS, position=1), {"c": "text"}, record(chunk()), "rewritten"),
        (chunk(), {"c": "text"}, record(chunk()), "unchanged"),
        (chunk(position=1), {"c": "text"}, record(chunk()), "rewritten"),
        (chunk(), {"c": "text"}, None, "rewritten"),
        # A crawl ended while it wrote: the store may have any part of it.
        (chunk(vectors=VECTORS), {"c": "text"}, record(chunk(), is_unfinished=True), "reembedded"),
        (chunk(), {"c": "text"}, record(chunk(), is_unfinished=True), "rewritten"),
    ],
)
def test_a_chunk_is_written_for_the_one_reason_that_holds(
    now: SemanticChunk, stored: dict[str, str], before: Any, kind: str
) -> None:
    changes = find_changes((now,), stored, before)
    found = {name: getattr(changes, name) for name in ("new", "reembedded", "rewritten", "unchanged")}
    assert [name for name, what in found.items() if what] == [kind]
    assert changes.are_none is (kind == "unchanged")


def test_what_a_document_no_longer_has_is_stale() -> None:
    assert find_changes((chunk(),), {"c": "text", "old": "x"}, record(chunk())).stale == ("old",)
