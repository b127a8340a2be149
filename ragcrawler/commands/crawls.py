"""`scrapy crawls`: the crawls that were broken off, and what is left of each."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.cli_command import CliCommand

if TYPE_CHECKING:
    from ragcrawler.run.saved_crawl import SavedCrawl

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
        from ragcrawler.config.configuration import Configuration
        from ragcrawler.config.errors import SettingError
        from ragcrawler.frontier.states.dump import DumpError
        from ragcrawler.frontier.states.sqlite import FrontierStateError

        action, names = (args[0], args[1:]) if args else ("list", [])
        if action not in _ACTIONS or len(names) != (action != "list"):
            raise UsageError(f"give one of {', '.join(_ACTIONS)}, and for all but list the NAME of a crawl")
        assert self.settings is not None  # noqa: S101 - set by scrapy before it runs a command
        try:
            output = Configuration.from_settings(self.settings).output_folder
            if action == "list":
                self._list(output)
            elif action == "import":
                self._import(output, names[0])
            else:
                getattr(self, f"_{action}")(self._path(output, names[0]))
        except (SettingError, FrontierStateError, DumpError) as error:
            self.refuse(str(error))

    def _list(self, output: Path) -> None:
        from ragcrawler.frontier.states.sqlite import FrontierStateError
        from ragcrawler.run.saved_crawl import saved_crawls

        paths = saved_crawls(output)
        if not paths:
            sys.stderr.write("No crawl was broken off.\n")
        for path in paths:
            try:
                with _opened(path) as saved:
                    counts = saved.state.urls.counts()
                    done, about = counts.seen - counts.open, _arguments(saved)
            except FrontierStateError as error:
                sys.stdout.write(f"{path.stem}  {error}\n")
            else:
                sys.stdout.write(f"{path.stem}  {done} done, {counts.open} to go  {about}\n")

    def _show(self, path: Path) -> None:
        with _opened(path) as saved:
            counts, about = saved.state.urls.counts(), saved.about or {}
            rows: list[tuple[str, Any]] = [
                ("arguments", _arguments(saved)),
                ("collection", about.get("collection", "")),
                ("began", about.get("began", "")),
                ("runs", ", ".join(saved.runs)),
                ("seen", counts.seen),
                ("to go", counts.open),
                ("fetched", counts.fetched),
                *((f"skipped: {reason}", count) for reason, count in sorted(counts.skipped.items())),
                *((f"failed: {reason}", count) for reason, count in sorted(counts.failed.items())),
            ]
        width = max(len(name) for name, _ in rows)
        for name, value in rows:
            sys.stdout.write(f"{name:<{width}}  {value}\n")

    def _delete(self, path: Path) -> None:
        from ragcrawler.run.saved_crawl import delete_crawl

        delete_crawl(path)
        sys.stdout.write(f"{path.stem} deleted: a crawl with its arguments begins anew\n")

    def _dump(self, path: Path) -> None:
        from ragcrawler.frontier.states.dump import dump_lines

        with _opened(path) as saved:
            for line in dump_lines(saved.state):
                sys.stdout.write(f"{line}\n")

    def _import(self, output: Path, name: str) -> None:
        """Read a dump from stdin into a new file, which is there only once it is whole."""
        from ragcrawler.frontier.states.dump import import_lines
        from ragcrawler.frontier.states.sqlite import FrontierStateError
        from ragcrawler.run.saved_crawl import SavedCrawl, state_path

        path = state_path(output, name)
        if path.exists():
            raise FrontierStateError(f"there is a crawl {name} already: `scrapy crawls delete {name}` first")
        saved = SavedCrawl(path)
        is_whole = False
        try:
            urls = import_lines(saved.state, (line.rstrip("\n") for line in sys.stdin))
            is_whole = True
        finally:
            saved.end(is_over=not is_whole)
        sys.stdout.write(f"{name}: {urls} URLs; a crawl with its arguments goes on with them\n")

    def _path(self, output: Path, name: str) -> Path:
        from ragcrawler.frontier.states.sqlite import FrontierStateError
        from ragcrawler.run.saved_crawl import saved_crawls

        for path in saved_crawls(output):
            if path.stem == name:
                return path
        raise FrontierStateError(f"there is no crawl {name}: `scrapy crawls` lists those that are there")


@contextmanager
def _opened(path: Path) -> "Iterator[SavedCrawl]":
    from ragcrawler.run.saved_crawl import SavedCrawl

    saved = SavedCrawl(path)
    try:
        yield saved
    finally:
        saved.end(is_over=False)


def _arguments(saved: "SavedCrawl") -> str:
    about = saved.about or {}
    arguments = " ".join(f"-a {name}={value}" for name, value in about.get("arguments", {}).items())
    return f"{about.get('spider', '')} {arguments}"
