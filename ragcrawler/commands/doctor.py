"""`scrapy doctor`: what works on this machine with these settings, and what to do."""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.cli_command import CliCommand
from ragcrawler.commands.base.explicit_settings import explicit_settings

if TYPE_CHECKING:
    from ragcrawler.maintenance.doctor import Mask, Named

_FAILED = 3
_SECONDS = 5.0
_LONGEST_SECONDS = 300.0
_WIDTH = 140  # where there is no terminal
_COLOURS = {"ok": "green", "warning": "yellow", "failed": "bold red", "not used": "dim"}


class Command(CliCommand, ScrapyCommand):
    """Looks at programs, models and services; exit code 0 where nothing failed, 3 where something did."""

    requires_project = False

    def short_desc(self) -> str:
        return "Say what works on this machine, and what to do about the rest"

    def long_desc(self) -> str:
        return (
            "Looks at Python, settings, disk, models, browser, docling's weights and the services that the "
            "settings name; no other host is asked. Exit codes: 0 nothing failed, 1 it could not look, 3 "
            "something failed."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="one JSON object")
        parser.add_argument(
            "--timeout", type=float, default=_SECONDS, metavar="SECONDS", help="for each service (5)"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Look, and print.

        Raises:
            UsageError: there are arguments, or the time limit is none.
        """
        from ragcrawler.config.defaults import project_settings
        from ragcrawler.config.errors import SettingError
        from ragcrawler.maintenance.doctor import Mask, run_probes

        if args or not 0 < opts.timeout <= _LONGEST_SECONDS:
            raise UsageError("doctor takes no arguments, and a --timeout of up to 300 seconds")
        try:
            settings = project_settings(**explicit_settings(self.settings))
        except SettingError as error:
            self.refuse(str(error))
            return
        rows = _rows(run_probes(settings, opts.timeout), Mask(settings))
        if opts.json:
            sys.stdout.write(json.dumps({"findings": rows}, ensure_ascii=False, indent=2) + "\n")
        else:
            _print_table(rows)
        self.exitcode = _FAILED if any(row["state"] == "failed" for row in rows) else 0


def _rows(found: Sequence["Named"], mask: "Mask") -> list[dict[str, str]]:
    """What is shown: without secrets, and without control characters of services."""
    from ragcrawler.retrieval.formatting.printable import printable

    def clean(text: str) -> str:
        return " ".join(printable(mask(text)).split())

    return [
        {"name": name, "state": each.state, "found": clean(each.found), "todo": clean(each.todo)}
        for name, each in found
    ]


def _print_table(rows: Sequence[dict[str, str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("", "state", "found", "what to do", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for row in rows:
        state = Text(row["state"], style=_COLOURS[row["state"]])
        table.add_row(Text(row["name"]), state, Text(row["found"]), Text(row["todo"]))
    console = Console(file=sys.stdout, highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH
    console.print(table)
