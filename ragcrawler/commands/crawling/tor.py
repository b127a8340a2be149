"""`scrapy tor`: several Tor clients for crawls with `PROXY=tor`."""

import argparse
import asyncio
import logging
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.collection_command import CollectionCommand

if TYPE_CHECKING:
    from ragcrawler.config.configuration import Configuration
    from ragcrawler.tor.options import TorOptions


class Command(CollectionCommand, ScrapyCommand):
    """Runs until it is stopped; every client then ends with it."""

    interrupted = 0  # Ctrl-C is how it ends

    def syntax(self) -> str:
        return "[--instances 5] [options]"

    def short_desc(self) -> str:
        return "Run Tor clients as proxies for crawls with -s PROXY=tor"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """How many clients, and how they leave the network."""
        super().add_options(parser)
        parser.add_argument("--instances", type=int, default=5, help="clients side by side (5)")
        parser.add_argument("--port", type=int, default=8218, help="port of the first proxy (8218)")
        parser.add_argument(
            "--renew-seconds", type=float, default=600.0, help="time after which circuits change (600)"
        )
        parser.add_argument("--timeout", type=float, default=300.0, help="seconds to connect (300)")
        parser.add_argument("--exit-country", default="", metavar="de,at", help="leave from these countries")
        parser.add_argument("--torrc", metavar="FILE", help="more lines for each torrc, such as bridges")

    def work(self, configuration: "Configuration", args: list[str], opts: argparse.Namespace) -> None:
        """Start the clients and keep them running.

        Raises:
            UsageError: there is an argument, or an option is out of its range.
            StartError: Tor does not start.
        """
        from ragcrawler.bootstrap.start_error import StartError
        from ragcrawler.tor.errors import TorError

        if args:
            raise UsageError("tor takes options only")
        options = _options(configuration.output_folder, opts)
        logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
        try:
            asyncio.run(_run(options))
        except TorError as error:
            raise StartError(str(error)) from error


def _options(output: Path, opts: argparse.Namespace) -> "TorOptions":
    from ragcrawler.tor.options import TorOptions

    try:
        return TorOptions(
            folder=output.absolute() / "tor",
            instances=opts.instances,
            first_port=opts.port,
            renewal_seconds=opts.renew_seconds,
            start_seconds=opts.timeout,
            exit_countries=tuple(code.strip() for code in opts.exit_country.lower().split(",") if code),
            extra_torrc=Path(opts.torrc).read_text(encoding="utf-8") if opts.torrc else "",
        )
    except (ValueError, OSError) as error:
        raise UsageError(str(error), print_help=False) from error


async def _run(options: "TorOptions") -> None:
    """Run the pool until SIGINT or SIGTERM."""
    from ragcrawler.tor.exits import proxies_file
    from ragcrawler.tor.pool import TorPool

    def tell(proxies: list[str]) -> None:
        sys.stdout.write(
            f"Tor is ready: {len(proxies)} proxies, listed in {proxies_file(options.folder)}\n"
            "Crawl with: scrapy crawl seeds -a domains=... -s PROXY=tor\n"
        )
        sys.stdout.flush()

    work = asyncio.ensure_future(TorPool(options, tell).run())
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, work.cancel)
    try:
        await work
    except asyncio.CancelledError:
        sys.stderr.write("Tor is stopped.\n")
