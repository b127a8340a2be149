"""The base class of the commands: errors in one line, exit codes."""

import argparse
import sys
from typing import TYPE_CHECKING, Any, ClassVar

from ragcrawler.commands.base.setting_warnings import warn_of_names

if TYPE_CHECKING:
    from scrapy.settings import Settings


class CliCommand:
    """To be mixed into a `ScrapyCommand`; it is none itself: Scrapy takes every one it finds for a command.

    Attributes:
        interrupted: the exit code after Ctrl-C.
    """

    settings: "Settings | None"
    exitcode: int
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}
    interrupted: ClassVar[int] = 130

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Warn of misspelt settings once all of them are known."""
        super().process_options(args, opts)  # type: ignore[misc]  # of the command that this is mixed into
        warn_of_names(self.settings)

    def refuse(self, reason: str) -> None:
        """Say what is wrong; the exit code will be 1."""
        from ragcrawler.retrieval.formatting.printable import printable
        from ragcrawler.urls.credentials import mask_credentials

        sys.stderr.write(f"Error: {mask_credentials(' '.join(printable(reason).split()))}\n")
        self.exitcode = 1
