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
    from ragcrawler.frontier.filters.kept_out import KeptOut
    from ragcrawler.items import SemanticChunk
    from ragcrawler.stores import ChunkStore
    from ragcrawler.stores.exports import ExportHeader

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
        intake = _Intake()
        with _open(args[0]) as file, open_store(configuration.store) as store:
            try:
                written = _import(configuration, store, file, intake)
                store.optimize()
            finally:  # what stood before a damaged line is imported too
                _enter(configuration, store, intake.documents)
        sys.stdout.write(f"{written} chunks of {len(intake.documents)} documents imported\n")
        if intake.left_out:
            sys.stdout.write(f"{intake.left_out} chunks left out, which the collection keeps out\n")
        self.finish_removals()


class _Intake:
    """Lets chunks through that are not kept out.

    Attributes:
        documents: ids of those that they belong to.
        left_out: how many chunks were not let through.
    """

    def __init__(self) -> None:
        self.documents: set[str] = set()
        self.left_out = 0

    def take(self, chunks: "Iterator[SemanticChunk]", kept_out: "KeptOut") -> "Iterator[SemanticChunk]":
        """Those that may come in, one by one."""
        for chunk in chunks:
            if kept_out.covers(chunk.source_url):
                self.left_out += 1
            else:
                self.documents.add(chunk.document_id)
                yield chunk


def _import(configuration: "Configuration", store: "ChunkStore", file: IO[bytes], intake: _Intake) -> int:
    """Write the chunks of the file; how many they were."""
    from ragcrawler.bootstrap.models.collection_embedders import collection_models, open_collection_embedders
    from ragcrawler.bootstrap.models.vector_cache import open_vector_cache
    from ragcrawler.maintenance.reembedding import Reembedding
    from ragcrawler.stores.exports import read_export
    from ragcrawler.stores.transfer.fill import fill

    header, chunks = read_export(file)
    wanted = intake.take(chunks, _take_over(configuration, header))
    if header.has_vectors:
        store.create(header.models)
        return fill(store, wanted)
    with closing(open_vector_cache(configuration)) as cache:
        embedders = open_collection_embedders(configuration, store.models(), cache)
        store.create(collection_models(embedders))
        return fill(store, wanted, Reembedding(embedders))


def _take_over(configuration: "Configuration", header: "ExportHeader") -> "KeptOut":
    """Keep out what the export's collection did; all that is kept out now.

    Raises:
        ExportError: an entry of the export is none.
    """
    from ragcrawler.bootstrap.catalogue_place import catalogue_place
    from ragcrawler.catalogue import KeptOutEntry
    from ragcrawler.frontier.filters.kept_out import KeptOut
    from ragcrawler.stores.exports import ExportError

    try:
        entries = [KeptOutEntry.from_record(each) for each in header.kept_out]
        KeptOut(entries)
    except ValueError as error:
        raise ExportError(f"The header of the export is damaged ({error}): export again.") from error
    with catalogue_place(configuration).open() as catalogue:
        catalogue.keep_out(entries)
        return KeptOut(catalogue.kept_out())


def _enter(configuration: "Configuration", store: "ChunkStore", documents: set[str]) -> None:
    from ragcrawler.bootstrap.catalogue_place import catalogue_place
    from ragcrawler.maintenance.verification import recover_records

    if documents:
        with catalogue_place(configuration).open() as catalogue:
            recover_records(store, catalogue, documents)


def _open(name: str) -> "AbstractContextManager[IO[bytes]]":
    return nullcontext(sys.stdin.buffer) if name == _STANDARD_INPUT else Path(name).open("rb")
