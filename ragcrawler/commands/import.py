"""`scrapy import`: an export into the collection."""  # noqa: N999 - Scrapy names commands after modules

import argparse
import sys
from contextlib import closing, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.collection_command import CollectionCommand

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ragcrawler.bootstrap.configuration import Configuration

_STANDARD_INPUT = "-"


class Command(CollectionCommand, ScrapyCommand):
    """Adds the chunks of a file to the collection, made where it is not there."""

    def syntax(self) -> str:
        """What stands behind the command's name."""
        return "FILE or -"

    def short_desc(self) -> str:
        """One line for the list of commands."""
        return "Read what `scrapy export` wrote into the collection"

    def work(self, configuration: "Configuration", args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - the same for all commands
        """Import; chunks without vectors are embedded by the configured models.

        Raises:
            UsageError: no file is named, or more than one.
        """
        from ragcrawler.bootstrap.models import open_models
        from ragcrawler.bootstrap.reembedding import Reembedding
        from ragcrawler.bootstrap.vector_cache import open_vector_cache
        from ragcrawler.stores import open_store
        from ragcrawler.stores.exports import read_export
        from ragcrawler.stores.fill import fill

        if len(args) != 1:
            raise UsageError("name one file that `scrapy export` wrote, or - for standard input")
        with _opened(args[0]) as file, open_store(configuration.store) as store:
            header, chunks = read_export(file)
            if header.has_vectors:
                store.create(header.models)
                written = fill(store, chunks)
            else:
                with closing(open_vector_cache(configuration)) as cache:
                    models = open_models(configuration, store.models(), cache)
                    store.create(models.remembered)
                    written = fill(store, chunks, Reembedding(models))
            store.optimize()
        sys.stdout.write(f"{written} chunks imported\n")


def _opened(name: str) -> "AbstractContextManager[IO[bytes]]":
    return nullcontext(sys.stdin.buffer) if name == _STANDARD_INPUT else Path(name).open("rb")
