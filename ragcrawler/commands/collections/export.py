"""`scrapy export`: the collection as a file, or its documents as files."""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal, cast

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.collection_command import CollectionCommand

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragcrawler.config.configuration import Configuration

_STANDARD_OUTPUT = "-"
_FORMATS = ("jsonl", "parquet", "markdown", "llms")
DocumentFormat = Literal["jsonl", "markdown", "llms"]


class Command(CollectionCommand, ScrapyCommand):
    """Writes every chunk, with vectors if asked to, or every document; a file is there when it is whole."""

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Write the collection to a file, or its documents as Markdown, JSON lines or llms.txt"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Where to, in what form, and how much."""
        super().add_options(parser)
        parser.add_argument(
            "--documents", action="store_true", help="whole documents instead of chunks with their models"
        )
        parser.add_argument(
            "--format",
            choices=_FORMATS,
            help="jsonl, parquet: chunks, jsonl by default; markdown, jsonl, llms: documents, markdown by "
            "default where --output is a folder",
        )
        parser.add_argument(
            "--vectors", action="store_true", help="with vectors: the import then embeds nothing"
        )
        parser.add_argument(
            "--output",
            metavar="FILE_OR_FOLDER",
            default=_STANDARD_OUTPUT,
            help="- for standard output, the default",
        )

    def work(self, configuration: "Configuration", args: list[str], opts: argparse.Namespace) -> None:
        """Export; what was exported goes to stderr, which no file mixes with.

        Raises:
            UsageError: the options do not go together.
        """
        if args:
            raise UsageError("name the file with --output FILE")
        wants_documents = opts.documents or opts.format in {"markdown", "llms"}
        if wants_documents and (opts.vectors or opts.format == "parquet"):
            raise UsageError("--vectors and --format parquet are for chunks, not for documents")
        try:
            if wants_documents:
                said = _export_documents(configuration, _document_format(opts), opts.output)
            else:
                said = _export_chunks(configuration, opts, self.values)
        except BrokenPipeError:
            # The reader, `head` say, has had enough; what is left must not fail again at the exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return
        sys.stderr.write(f"{said}\n")


def _export_chunks(
    configuration: "Configuration", opts: argparse.Namespace, settings: "Mapping[str, object]"
) -> str:
    from ragcrawler.bootstrap.start_error import StartError
    from ragcrawler.run.removal import kept_out
    from ragcrawler.stores import open_store
    from ragcrawler.stores.exports import ExportHeader, write_export
    from ragcrawler.stores.transfer.chunks_with_vectors import chunks_with_vectors

    with open_store(configuration.store) as store:
        models = store.models()
        if models is None:
            raise StartError(f"there is no collection at {store.location}; crawl something into it first")
        chunks = chunks_with_vectors(store) if opts.vectors else store.scroll()
        entries = [asdict(entry) for entry in kept_out(settings)]
        header = ExportHeader(models, has_vectors=opts.vectors, kept_out=entries)
        with _open(opts.output) as out:
            written = write_export(out, opts.format or "jsonl", header, chunks)
    return f"{written} chunks exported"


def _document_format(opts: argparse.Namespace) -> "DocumentFormat":
    """The format that was asked for, or that the output asks for.

    Raises:
        UsageError: it needs a folder.
    """
    is_file = opts.output == _STANDARD_OUTPUT or opts.output.endswith(".jsonl")
    kind = opts.format or ("jsonl" if is_file else "markdown")
    if kind != "jsonl" and opts.output == _STANDARD_OUTPUT:
        raise UsageError(f"--format {kind} writes files: name a folder with --output FOLDER")
    return cast("DocumentFormat", kind)


def _export_documents(configuration: "Configuration", kind: "DocumentFormat", output: str) -> str:
    """A sentence about the export; a crawl may run meanwhile.

    Raises:
        StartError: there is nothing to export.
    """
    from ragcrawler.bootstrap.catalogue_place import catalogue_place
    from ragcrawler.bootstrap.start_error import StartError
    from ragcrawler.catalogue.exports import DocumentExport, FolderError

    place = catalogue_place(configuration)
    if not place.exists():
        raise StartError(
            f"there is no catalogue at {place}; crawl something first, or run `scrapy verify --repair` "
            "if there is a collection"
        )
    with place.open() as catalogue:
        export = DocumentExport(catalogue)
        try:
            counts = (
                export.to_lines(_open(output))
                if kind == "jsonl"
                else export.to_folder(
                    kind,
                    Path(output),
                    pictures=configuration.output_folder / "images",
                    name=configuration.store.collection,
                )
            )
        except FolderError as error:
            raise StartError(str(error)) from error
    note = f"; put together from their chunks: {counts.composed}" if counts.composed else ""
    return f"{counts.documents} documents exported{note}"


@contextmanager
def _open(name: str) -> Iterator[IO[bytes]]:
    """Standard output, or a file that takes its name when it is whole."""
    from ragcrawler.catalogue.exports.atomic_file import atomic_file

    if name == _STANDARD_OUTPUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with atomic_file(Path(name)) as out:
        yield out
