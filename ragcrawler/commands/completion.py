"""`scrapy completion`: a script by which a shell completes commands, options and names of spiders."""

import argparse
import sys
from pathlib import Path
from typing import cast

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ragcrawler.commands.base.cli_command import CliCommand

_SHELLS = ("bash", "zsh", "fish")
_PROGRAMS = ("ragcrawler", "scrapy")


class Command(CliCommand, ScrapyCommand):
    """Prints the script for a shell, for the program by which it is called."""

    requires_project = False

    def syntax(self) -> str:
        return "|".join(_SHELLS)

    def short_desc(self) -> str:
        return "Print a script that completes commands and options in a shell"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - Scrapy's signature
        """Print it.

        Raises:
            UsageError: the shell is none of the three.
        """
        if len(args) != 1 or args[0] not in _SHELLS:
            raise UsageError(f"name a shell: {', '.join(_SHELLS)}")
        try:
            import shtab
        except ImportError:
            self.refuse("shtab is not installed: pip install 'ragcrawler[completion]'")
            return
        from ragcrawler.commands.base.command_parser import command_parser

        called = Path(sys.argv[0]).name
        program = called if called in _PROGRAMS else _PROGRAMS[0]
        parser = command_parser(program, cast(Settings, self.settings))
        sys.stdout.write(shtab.complete(parser, args[0]) + "\n")
