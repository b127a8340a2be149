"""`scrapy reindex`: rebuild the collection beside the old one, then point its name at the new one."""

import argparse
import sys
import time
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.collection_command import CollectionCommand

if TYPE_CHECKING:
    from ragcrawler.config.configuration import Configuration
    from ragcrawler.stores.aliases import CollectionAliases

_SECONDS_BETWEEN_LINES = 10.0


class Command(CollectionCommand, ScrapyCommand):
    """Embeds the stored chunks with other models, or copies them for other settings of the store."""

    def syntax(self) -> str:
        return "--into NEW [options]"

    def short_desc(self) -> str:
        return "Rebuild the collection under another name, from its own chunks, and switch to it"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Where to, and what happens to the old one."""
        super().add_options(parser)
        parser.add_argument("--into", metavar="NEW", default="", help="name of the new collection")
        parser.add_argument(
            "--switch", action="store_true", help="then point QDRANT_COLLECTION's name at the new one"
        )
        parser.add_argument(
            "--only-switch",
            action="store_true",
            help="rebuild nothing: NEW is there already, crawled or imported; also the way back",
        )
        parser.add_argument(
            "--drop-old", action="store_true", help="after switching, remove the old collection"
        )

    def work(self, configuration: "Configuration", args: list[str], opts: argparse.Namespace) -> None:
        """Rebuild, switch, drop: whatever was asked for.

        Raises:
            UsageError: the options contradict each other.
        """
        from ragcrawler.maintenance.reindex import Reindexing

        if args or not opts.into:
            raise UsageError("name the new collection with --into NEW")
        switches = opts.switch or opts.only_switch
        if opts.drop_old and not switches:
            raise UsageError("--drop-old needs --switch: without it the name still means the old collection")
        self.finish_removals()
        reindexing = Reindexing(configuration, opts.into, _Progress())
        old = reindexing.aliases.resolve(reindexing.name)
        if opts.only_switch:
            reindexing.only_switch()
        else:
            done = reindexing.rebuild(switch=switches)
            sys.stdout.write(
                f"{opts.into}: {done.written} chunks written, {done.updated} updated, {done.unchanged} there "
                f"already, {done.removed} removed\n"
            )
        if switches:
            self._enter_documents(configuration)
            self.finish_removals()  # what one collection keeps out may have come into the other
            sys.stdout.write(f"{reindexing.name} now means {reindexing.aliases.resolve(reindexing.name)}\n")
            self._leave(reindexing.aliases, old, drop=opts.drop_old)

    def _enter_documents(self, configuration: "Configuration") -> None:
        """Give a collection that came without a record of its documents one."""
        from ragcrawler.bootstrap.catalogue_place import catalogue_place
        from ragcrawler.maintenance.verification import recover_records
        from ragcrawler.stores import open_store

        with catalogue_place(configuration).open() as catalogue:
            if not catalogue.count():
                with open_store(configuration.store) as store:
                    recover_records(store, catalogue, {chunk.document_id for chunk in store.scroll()})

    def _leave(self, names: "CollectionAliases", old: str, *, drop: bool) -> None:
        if drop:
            names.drop(old)
            sys.stdout.write(f"{old} removed\n")
        else:
            sys.stdout.write(f"the old collection is still there as {old}\n")


class _Progress:
    """A line on stderr every few seconds."""

    def __init__(self) -> None:
        self._embedded = 0
        self._said = time.monotonic()

    def __call__(self, embedded: int) -> None:
        self._embedded += embedded
        if time.monotonic() - self._said >= _SECONDS_BETWEEN_LINES:
            self._said = time.monotonic()
            sys.stderr.write(f"{self._embedded} chunks embedded\n")
