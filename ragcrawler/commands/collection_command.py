"""What the commands that work on a whole collection share."""

import argparse
import sys
from typing import TYPE_CHECKING, Any, ClassVar

from ragcrawler.commands.chosen_settings import chosen_settings

if TYPE_CHECKING:
    from scrapy.settings import Settings

    from ragcrawler.bootstrap.configuration import Configuration

_INTERRUPTED = 130


class CollectionCommand:
    """Runs `work` with the configuration; what goes wrong is said in one line, with exit code 1.

    To be mixed into a `ScrapyCommand`; it is none itself, since Scrapy takes every one that it finds for a
    command.
    """

    settings: "Settings | None"
    exitcode: int
    requires_crawler_process = False
    requires_project = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def work(self, configuration: "Configuration", args: list[str], opts: argparse.Namespace) -> None:
        """Do what the command is for."""
        raise NotImplementedError

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read the settings and work."""
        from ragcrawler.bootstrap.configuration import Configuration
        from ragcrawler.bootstrap.defaults import project_settings
        from ragcrawler.bootstrap.start_error import StartError, start_errors
        from ragcrawler.stores.exports import ExportError

        try:
            with start_errors():
                settings = project_settings(**chosen_settings(self.settings))
                self.work(Configuration.from_settings(settings), args, opts)
        except (StartError, ExportError) as error:
            self.refuse(str(error))
        except KeyboardInterrupt:
            sys.stderr.write("Interrupted; run the same command again to go on.\n")
            self.exitcode = _INTERRUPTED

    def refuse(self, reason: str) -> None:
        """Say what is wrong; the exit code will be 1."""
        from ragcrawler.retrieval.printable import printable

        sys.stderr.write(f"Error: {printable(reason)}\n")
        self.exitcode = 1
