"""A program that changes an index in every way a crawl does: `python -m power_cut.workload FOLDER`.

It needs no site. Documents are added, changed, shortened, moved and deleted, through the same calls as a
crawl's, and a name is led to another collection.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ragcrawler.catalogue import DocumentCatalogue, DocumentRecord, SqliteCatalogue
from ragcrawler.chunking import ChunkingConfig, chunk_markdown
from ragcrawler.embedding.families.hashing import HashingDense, HashingSparse
from ragcrawler.items import SemanticChunk, Vectors
from ragcrawler.run.indexing.deletion import delete_documents
from ragcrawler.run.indexing.synchronise import DocumentWrite, synchronise
from ragcrawler.stores import ChunkStore, CollectionModels, StoreConfig, open_store
from ragcrawler.stores.aliases import open_aliases

MODELS = CollectionModels("hashing/384", 384, "hashing/sparse")

# Name of a document to the parts of its text, before and after.
BEFORE = {"kept": "abc", "changed": "abcd", "shortened": "abcde", "moved": "abc", "deleted": "ab"}
AFTER = {"kept": "abc", "changed": "abxd", "shortened": "ab", "moved": "cab", "added": "ab"}


class _Words:
    """Counts words."""

    limit = 500

    def count(self, text: str) -> int:
        return len(text.split())

    def count_batch(self, texts: Sequence[str]) -> list[int]:
        return [self.count(text) for text in texts]


def config(output: Path) -> StoreConfig:
    return StoreConfig(folder=output / "qdrant", collection="index")


def catalogue_path(output: Path) -> Path:
    return output / "catalogue" / "index.sqlite"


def embed(chunks: Sequence[SemanticChunk]) -> list[Vectors]:
    texts = [chunk.embed_text for chunk in chunks]
    pairs = zip(HashingDense().embed_documents(texts), HashingSparse().embed_documents(texts), strict=True)
    return [Vectors(*pair) for pair in pairs]


def document(name: str, parts: str) -> DocumentWrite:
    """A document with a chunk for each letter of its parts."""
    url = f"https://a.example/{name}"
    markdown = "\n\n".join(
        f"## Part {part}\n\n{f'Water bed {part} of {name} early, and note it. ' * 3}" for part in parts
    )
    config = ChunkingConfig(
        target_tokens=30, max_tokens=60, min_tokens=0, overlap_tokens=0, model="hashing/384+hashing/sparse"
    )
    made = chunk_markdown(markdown, config=config, tokens=_Words(), document_id=name, url=url)
    chunks = [replace(chunk, vectors=vectors) for chunk, vectors in zip(made, embed(made), strict=True)]
    record = DocumentRecord(name, url, "a.example", f"page {parts}", f"text {parts}", "p", first_seen="r1")
    return DocumentWrite(record, tuple(chunks))


def crawl(store: ChunkStore, catalogue: DocumentCatalogue, site: dict[str, str]) -> None:
    """Bring the index in step with the site as a crawl would: pages that did not change are left alone."""
    for name, parts in site.items():
        work, known = document(name, parts), catalogue.get(name)
        if known is None or known.is_unfinished or known.page_hash != work.record.page_hash:
            synchronise(store, catalogue, [work])
    gone = [record.document_id for record in catalogue.documents() if record.document_id not in site]
    delete_documents(store, catalogue, gone)


def prepare(output: Path) -> None:
    """The index before, and an empty collection to lead a name to."""
    for name in ("index", "other"):
        with open_store(replace(config(output), collection=name)) as store:
            store.create(MODELS)
    with open_store(config(output)) as store, SqliteCatalogue(catalogue_path(output)) as catalogue:
        crawl(store, catalogue, BEFORE)
    open_aliases(config(output)).switch("name", "other")


def main(output: Path) -> None:
    """The changes."""
    store = open_store(config(output))
    catalogue = SqliteCatalogue(catalogue_path(output))
    crawl(store, catalogue, AFTER)
    store.close()
    catalogue.close()
    open_aliases(config(output)).switch("name", "index")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
