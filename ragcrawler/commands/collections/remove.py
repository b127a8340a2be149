"""`scrapy remove`: take pages and sites out of the collection, and keep them out."""

import argparse
import json
import sys
from dataclasses import asdict
from enum import IntEnum
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.collection_command import CollectionCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragcrawler.catalogue import KeptOutEntry
    from ragcrawler.config.configuration import Configuration
    from ragcrawler.run.removal import Removed

_MOST_SHOWN = 20
_DATE_CHARACTERS = 10


class ExitCode(IntEnum):
    """How `scrapy remove` ends; 1 where it could not begin, or was broken off."""

    DONE = 0
    NOTHING_FOUND = 3


class Command(CollectionCommand, ScrapyCommand):
    """Removes what its arguments name from the collection and from all that was kept beside it."""

    def syntax(self) -> str:
        return "URL or DOMAIN ... | --document ID | --list | --allow ENTRY"

    def short_desc(self) -> str:
        return "Take pages and sites out of the collection, and keep them out"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """What else to remove, for how long, and the list of what is kept out."""
        super().add_options(parser)
        parser.add_argument(
            "--document", action="append", default=[], metavar="ID", help="a document by its id; repeatable"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be removed, and change nothing"
        )
        parser.add_argument(
            "--keep-out", action="store_true", help="no crawl and no import may bring it back"
        )
        parser.add_argument(
            "--everywhere",
            action="store_true",
            help="out of feeds of earlier runs and out of researches too",
        )
        parser.add_argument("--list", action="store_true", help="show what is kept out")
        parser.add_argument(
            "--allow",
            action="append",
            default=[],
            metavar="ENTRY",
            help="let something in again that the list shows; repeatable",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def work(self, configuration: "Configuration", args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - the same for all commands
        """Show the list, change it, or remove.

        Raises:
            UsageError: the options do not go together, or nothing is named.
        """
        from ragcrawler.run.removal import RemovalRequest, allow, kept_out, remove

        named = bool(args or opts.document)
        if named + bool(opts.allow) + opts.list != 1:
            raise UsageError("name what is to be removed, or give --list, or --allow ENTRY")
        if opts.list:
            _show_list(kept_out(self.values), as_json=opts.json)
        elif opts.allow:
            sys.stdout.write(f"let in again: {allow(self.values, opts.allow)}\n")
        else:
            request = RemovalRequest(
                tuple(args), tuple(opts.document), keeps_out=opts.keep_out, everywhere=opts.everywhere
            )
            removed = remove(self.values, request, is_dry=opts.dry_run)
            sys.stdout.write(json.dumps(asdict(removed)) + "\n" if opts.json else _text(removed))
            is_found = removed.counts or removed.kept_out
            self.exitcode = int(ExitCode.DONE if is_found else ExitCode.NOTHING_FOUND)


def _show_list(entries: "Sequence[KeptOutEntry]", *, as_json: bool) -> None:
    from ragcrawler.retrieval.formatting.printable import printable

    if as_json:
        sys.stdout.write(json.dumps([asdict(each) for each in entries]) + "\n")
        return
    for each in entries:
        text = "  and its text, wherever it stands" if each.text_hash else ""
        line = f"{each.since[:_DATE_CHARACTERS]}  {each.kind:<8}  {printable(each.pattern)}{text}"
        sys.stdout.write(f"{line}\n")
    if not entries:
        sys.stderr.write("Nothing is kept out.\n")


def _text(removed: "Removed") -> str:
    from ragcrawler.retrieval.formatting.printable import printable

    done = "would be removed" if removed.is_dry else "removed"
    counts = ", ".join(f"{name} {count}" for name, count in removed.counts.items())
    lines = [f"{done}: {counts or 'nothing of it is there'}"]
    lines += (f"  {url}" for url in removed.urls[:_MOST_SHOWN])
    if len(removed.urls) > _MOST_SHOWN:
        lines.append(f"  and {removed.counts['documents'] - _MOST_SHOWN} more")
    lines += (f"kept out: {each.pattern}" for each in removed.kept_out)
    lines += (f"stays: {each}" for each in removed.left)
    elsewhere = [f"{name} {count}" for name, count in removed.elsewhere.items()]
    if elsewhere:
        more = f" and {len(elsewhere) - _MOST_SHOWN} more" if len(elsewhere) > _MOST_SHOWN else ""
        lines.append(f"stays without --everywhere: {', '.join(elsewhere[:_MOST_SHOWN])}{more}")
    if removed.urls and not removed.kept_out:
        lines.append("the next crawl that finds it brings it back; --keep-out keeps it out")
    return printable("\n".join(lines)) + "\n"
