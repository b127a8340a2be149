"""`scrapy report`: what a run did, as a page for a browser."""

import argparse
import sys
import webbrowser
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.collection_command import CollectionCommand

if TYPE_CHECKING:
    from ragcrawler.config.configuration import Configuration


class Command(CollectionCommand, ScrapyCommand):
    """Writes the page anew from what the run left, and prints its path."""

    def syntax(self) -> str:
        return "[RUN] [--open]"

    def short_desc(self) -> str:
        return "Write the report of a run as an HTML page"

    def long_desc(self) -> str:
        return (
            "RUN is the name of a folder in OUTPUT_DIR/runs; without it, the last one is taken. The page is "
            "written there as report.html, also for runs of older versions, and for those that were killed."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--open", action="store_true", help="show it in the browser of this machine")

    def work(self, configuration: "Configuration", args: list[str], opts: argparse.Namespace) -> None:
        """Write the page.

        Raises:
            UsageError: more than one run is named.
        """
        from ragcrawler.run.reporting.folder import LAST, RunNotFoundError, find_run
        from ragcrawler.run.reporting.html import run_page
        from ragcrawler.run.reporting.recorded_run import ReportUnreadableError, read_run
        from ragcrawler.stores.disk.durable_file import write_durably

        if len(args) > 1:
            raise UsageError("name one run, or none for the last")
        try:
            folder = find_run(configuration.output_folder, args[0] if args else LAST)
            write_durably(folder.report_html, run_page(read_run(folder)))
        except (RunNotFoundError, ReportUnreadableError, OSError) as error:
            self.refuse(str(error))
            return
        sys.stdout.write(f"{folder.report_html}\n")
        if opts.open and not webbrowser.open(folder.report_html.absolute().as_uri()):
            sys.stderr.write("No browser was found: open the file by hand.\n")
