"""`scrapy crawls`: the crawls that were broken off, and what is left of each."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.cli_command import CliCommand

if TYPE_CHECKING:
    from ragcrawler.run.saved_crawls.crawl_places import CrawlPlace, CrawlRecord

_ACTIONS = ("list", "show", "delete", "dump", "import")


class Command(CliCommand, ScrapyCommand):
    """Lists, shows, deletes, dumps and imports saved crawls."""

    requires_project = True

    def syntax(self) -> str:
        return "[list] | show NAME | delete NAME | dump NAME | import NAME < FILE"

    def short_desc(self) -> str:
        return "List, show, delete, dump or import crawls that were broken off"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - Scrapy's signature
        """Do one of them.

        Raises:
            UsageError: the action is none, or its name is missing.
        """
        from ragcrawler.config.errors import SettingError
        from ragcrawler.frontier.states.dump import DumpError
        from ragcrawler.frontier.states.sqlite import FrontierStateError

        action, names = (args[0], args[1:]) if args else ("list", [])
        if action not in _ACTIONS or len(names) != (action != "list"):
            raise UsageError(f"give one of {', '.join(_ACTIONS)}, and for all but list the NAME of a crawl")
        try:
            getattr(self, f"_{action}")(self._place(), *names)
        except (SettingError, FrontierStateError, DumpError) as error:
            self.refuse(str(error))

    def _place(self) -> "CrawlPlace":
        from ragcrawler.config.configuration import Configuration
        from ragcrawler.config.crawling.sharing import SharingConfig
        from ragcrawler.run.saved_crawls.crawl_places import FilePlace
        from ragcrawler.run.sharing.redis_place import RedisPlace

        assert self.settings is not None  # noqa: S101 - set by scrapy before it runs a command
        if sharing := SharingConfig.if_shared(self.settings):
            return RedisPlace(sharing)
        return FilePlace(Configuration.from_settings(self.settings).output_folder)

    def _list(self, place: "CrawlPlace") -> None:
        from ragcrawler.frontier.states.sqlite import FrontierStateError

        names = place.names()
        if not names:
            sys.stderr.write("No crawl was broken off.\n")
        for name in names:
            try:
                with place.open(name) as crawl:
                    counts = crawl.state.urls.counts()
                    done, about = counts.seen - counts.open, _arguments(crawl)
                    now = "  at work" if crawl.is_worked_on else ""
            except FrontierStateError as error:
                sys.stdout.write(f"{name}  {error}\n")
            else:
                sys.stdout.write(f"{name}  {done} done, {counts.open} to go  {about}{now}\n")

    def _show(self, place: "CrawlPlace", name: str) -> None:
        with place.open(name) as crawl:
            counts, about = crawl.state.urls.counts(), crawl.about
            rows: list[tuple[str, Any]] = [
                ("arguments", _arguments(crawl)),
                ("collection", about.get("collection", "")),
                ("began", about.get("began", "")),
                ("runs", ", ".join(crawl.runs)),
                ("seen", counts.seen),
                ("to go", counts.open),
                ("fetched", counts.fetched),
                *((f"skipped: {reason}", count) for reason, count in sorted(counts.skipped.items())),
                *((f"failed: {reason}", count) for reason, count in sorted(counts.failed.items())),
            ]
        width = max(len(title) for title, _ in rows)
        for title, value in rows:
            sys.stdout.write(f"{title:<{width}}  {value}\n")

    def _delete(self, place: "CrawlPlace", name: str) -> None:
        place.delete(name)
        sys.stdout.write(f"{name} deleted: a crawl with its arguments begins anew\n")

    def _dump(self, place: "CrawlPlace", name: str) -> None:
        from ragcrawler.frontier.states.dump import dump_lines
        from ragcrawler.frontier.states.sqlite import FrontierStateError

        with place.open(name) as crawl:
            if crawl.is_worked_on:
                raise FrontierStateError(f"workers are on the crawl {name}: stop them for a dump")
            for line in dump_lines(crawl.state):
                sys.stdout.write(f"{line}\n")

    def _import(self, place: "CrawlPlace", name: str) -> None:
        """Read a dump from stdin into a new state, which is there only once it is whole."""
        from ragcrawler.frontier.states.dump import import_lines

        with place.create(name) as state:
            urls = import_lines(state, (line.rstrip("\n") for line in sys.stdin))
        sys.stdout.write(f"{name}: {urls} URLs; a crawl with its arguments goes on with them\n")


def _arguments(crawl: "CrawlRecord") -> str:
    arguments = " ".join(f"-a {name}={value}" for name, value in crawl.about.get("arguments", {}).items())
    return f"{crawl.about.get('spider', '')} {arguments}"
