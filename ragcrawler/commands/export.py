"""`scrapy export`: the collection as a file."""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, get_args

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.collection_command import CollectionCommand

if TYPE_CHECKING:
    from ragcrawler.config.configuration import Configuration

_STANDARD_OUTPUT = "-"


class Command(CollectionCommand, ScrapyCommand):
    """Writes every chunk, with its vectors if asked to; the file is there when it is whole."""

    def syntax(self) -> str:
        """What stands behind the command's name."""
        return "[options]"

    def short_desc(self) -> str:
        """One line for the list of commands."""
        return "Write the collection to a file: JSON lines or Parquet"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Where to, in what form, and how much."""
        from ragcrawler.stores.exports import ExportFormat

        super().add_options(parser)
        parser.add_argument(
            "--format", choices=get_args(ExportFormat), default="jsonl", help="jsonl by default"
        )
        parser.add_argument(
            "--vectors", action="store_true", help="with vectors: the import then embeds nothing"
        )
        parser.add_argument(
            "--output", metavar="FILE", default=_STANDARD_OUTPUT, help="- for standard output, the default"
        )

    def work(self, configuration: "Configuration", args: list[str], opts: argparse.Namespace) -> None:
        """Export; the number of chunks goes to stderr, which no file mixes with.

        Raises:
            UsageError: there is an argument too many.
        """
        from ragcrawler.bootstrap.start_error import StartError
        from ragcrawler.stores import open_store
        from ragcrawler.stores.exports import ExportHeader, write_export
        from ragcrawler.stores.transfer.chunks_with_vectors import chunks_with_vectors

        if args:
            raise UsageError("name the file with --output FILE")
        with open_store(configuration.store) as store:
            models = store.models()
            if models is None:
                raise StartError(f"there is no collection at {store.location}; crawl something into it first")
            chunks = chunks_with_vectors(store) if opts.vectors else store.scroll()
            header = ExportHeader(models, has_vectors=opts.vectors)
            try:
                with _opened(opts.output) as out:
                    written = write_export(out, opts.format, header, chunks)
            except BrokenPipeError:
                # The reader, `head` say, has had enough; what is left must not fail again at the exit.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                return
        sys.stderr.write(f"{written} chunks exported\n")


@contextmanager
def _opened(name: str) -> Iterator[IO[bytes]]:
    """Standard output, or a file that takes its name when it is whole."""
    if name == _STANDARD_OUTPUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    building = path.with_name(f".{path.name}.part")
    try:
        with building.open("wb") as out:
            yield out
        building.replace(path)
    finally:
        building.unlink(missing_ok=True)
