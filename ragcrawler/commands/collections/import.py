"""`scrapy import`: an export into the collection."""  # noqa: N999 - Scrapy names commands after modules

import argparse
import sys
from contextlib import closing, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.collection_command import CollectionCommand

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from ragcrawler.config.configuration import Configuration
    from ragcrawler.items import SemanticChunk
    from ragcrawler.stores import ChunkStore

_STANDARD_INPUT = "-"


class Command(CollectionCommand, ScrapyCommand):
    """Adds the chunks of a file to the collection, made where it is not there."""

    def syntax(self) -> str:
        return "FILE or -"

    def short_desc(self) -> str:
        return "Read what `scrapy export` wrote into the collection"

    def work(self, configuration: "Configuration", args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - the same for all commands
        """Import; chunks without vectors are embedded by the configured models.

        Raises:
            UsageError: no file is named, or more than one.
        """
        from ragcrawler.stores import open_store

        if len(args) != 1:
            raise UsageError("name one file that `scrapy export` wrote, or - for standard input")
        documents: set[str] = set()
        with _open(args[0]) as file, open_store(configuration.store) as store:
            try:
                written = _import(configuration, store, file, documents)
                store.optimize()
            finally:  # what stood before a damaged line is imported too
                _enter(configuration, store, documents)
        sys.stdout.write(f"{written} chunks of {len(documents)} documents imported\n")


def _import(configuration: "Configuration", store: "ChunkStore", file: IO[bytes], documents: set[str]) -> int:
    """Write the chunks of the file, and take down their documents; how many chunks they were."""
    from ragcrawler.bootstrap.models.collection_embedders import collection_models, open_collection_embedders
    from ragcrawler.bootstrap.models.vector_cache import open_vector_cache
    from ragcrawler.maintenance.reembedding import Reembedding
    from ragcrawler.stores.exports import read_export
    from ragcrawler.stores.transfer.fill import fill

    header, chunks = read_export(file)
    noted = _note(chunks, documents)
    if header.has_vectors:
        store.create(header.models)
        return fill(store, noted)
    with closing(open_vector_cache(configuration)) as cache:
        embedders = open_collection_embedders(configuration, store.models(), cache)
        store.create(collection_models(embedders))
        return fill(store, noted, Reembedding(embedders))


def _enter(configuration: "Configuration", store: "ChunkStore", documents: set[str]) -> None:
    from ragcrawler.bootstrap.catalogue_place import catalogue_place
    from ragcrawler.maintenance.verification import recover_records

    if documents:
        with catalogue_place(configuration).open() as catalogue:
            recover_records(store, catalogue, documents)


def _note(chunks: "Iterator[SemanticChunk]", documents: set[str]) -> "Iterator[SemanticChunk]":
    """The chunks, while the documents that they belong to are taken down."""
    for chunk in chunks:
        documents.add(chunk.document_id)
        yield chunk


def _open(name: str) -> "AbstractContextManager[IO[bytes]]":
    return nullcontext(sys.stdin.buffer) if name == _STANDARD_INPUT else Path(name).open("rb")
