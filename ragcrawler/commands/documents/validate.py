"""`scrapy validate`: what chunks lost of their documents, and how big they are (specification 003)."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.collection_command import CollectionCommand

if TYPE_CHECKING:
    from ragcrawler.bootstrap.chunk_setup import ChunkSetup
    from ragcrawler.config.configuration import Configuration
    from ragcrawler.items import Document
    from ragcrawler.maintenance.validation import ValidationSums

_FEED = {".jsonl", ".jl", ".ndjson"}
_FINDINGS_SHOWN = 20


class ValidateExitCode(IntEnum):
    """How `scrapy validate` ends; 1 where it could not look."""

    CLEAN = 0
    FINDINGS = 3


class Command(CollectionCommand, ScrapyCommand):
    """Holds chunks against their documents, and writes the figures of each document to a file."""

    def syntax(self) -> str:
        return "[FEED.jsonl | FILE.md | FOLDER] [options]"

    def short_desc(self) -> str:
        return "Find what chunks lost of their documents; sizes, and chunks out of range"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Where the figures go, and what counts as a finding."""
        super().add_options(parser)
        parser.add_argument(
            "--output", metavar="FILE", help="the data file; else validation.jsonl in the output folder"
        )
        parser.add_argument("--strict", action="store_true", help="small chunks are findings too")

    def work(self, configuration: "Configuration", args: list[str], opts: argparse.Namespace) -> None:
        """Validate what is named, else the collection.

        Raises:
            UsageError: more than one thing is named.
            StartError: it cannot be read, or there is nothing in it.
        """
        from ragcrawler.bootstrap.start_error import StartError
        from ragcrawler.maintenance.validation import SourceError, ValidationSums, validate_document

        if len(args) > 1:
            raise UsageError("name one feed, file or folder; without one, the collection is taken")
        setup = self._setup(configuration)
        output = Path(opts.output) if opts.output else configuration.output_folder / "validation.jsonl"
        sums, found = ValidationSums(), list[str]()
        try:
            with _documents(configuration, setup, args) as documents, _whole_file(output) as write:
                for document in documents:
                    one = validate_document(document, setup.config, setup.tokens)
                    sums.add(one, is_strict=opts.strict)
                    write(one.record(is_strict=opts.strict))
                    found += [f"{one.url}: {each}" for each in one.findings(is_strict=opts.strict)][
                        : _FINDINGS_SHOWN - len(found)
                    ]
                write(sums.record())
        except SourceError as error:
            raise StartError(str(error)) from error
        if not sums.documents:
            raise StartError("there is no document to validate; crawl something first")
        _show(sums, found, output)
        self.exitcode = int(ValidateExitCode.FINDINGS if sums.findings else ValidateExitCode.CLEAN)

    def _setup(self, configuration: "Configuration") -> "ChunkSetup":
        """The sizes that chunks should have by the settings, and what counts their tokens."""
        from ragcrawler.bootstrap.chunk_setup import setup_of
        from ragcrawler.stores import open_store

        if not configuration.store.url and not configuration.store.folder.exists():
            return setup_of(configuration, None)
        with open_store(configuration.store) as store:
            return setup_of(configuration, store.models())


@contextmanager
def _documents(
    configuration: "Configuration", setup: "ChunkSetup", args: list[str]
) -> "Iterator[Iterator[Document]]":
    """Those that are named, else those of the collection."""
    from ragcrawler.bootstrap.catalogue_place import catalogue_place
    from ragcrawler.maintenance.open_catalogue import open_catalogue
    from ragcrawler.maintenance.validation import (
        SourceError,
        collection_documents,
        feed_documents,
        markdown_documents,
    )

    if not args:
        with open_catalogue(catalogue_place(configuration), is_made=False) as catalogue:
            yield collection_documents(catalogue, _tell_of_missing_text)
        return
    path = Path(args[0])
    if not path.exists():
        raise SourceError(f"there is no file or folder {str(path)!r}")
    yield feed_documents(path) if path.suffix in _FEED else markdown_documents(path, setup.chunks)


def _tell_of_missing_text(url: str) -> None:
    sys.stderr.write(f"{url}: its text is not in the catalogue; the next crawl brings it\n")


@contextmanager
def _whole_file(path: Path) -> Iterator[Callable[[object], object]]:
    """Writes values as JSON lines into a file that is there when it is whole."""
    from ragcrawler.catalogue.exports.atomic_file import atomic_file

    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_file(path) as out:
        yield lambda value: out.write(json.dumps(value, ensure_ascii=True).encode() + b"\n")


def _show(sums: "ValidationSums", found: list[str], output: Path) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from ragcrawler.retrieval.formatting.printable import printable

    table = Table("", "all documents")
    table.columns[1].justify = "right"
    for words, figure in sums.rows().items():
        table.add_row(words, figure)
    console = Console(file=sys.stdout, highlight=False)
    console.print(table)
    for finding in found:
        console.print(escape(printable(finding)), soft_wrap=True)
    if sums.findings > len(found):
        console.print(f"and {sums.findings - len(found)} more", soft_wrap=True)
    console.print(f"Figures of each document: {escape(str(output))}", soft_wrap=True)
