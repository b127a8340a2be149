"""`scrapy mcp`: tools for a language model, over standard input and output."""

import argparse
import asyncio
import logging
import sys

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.cli_command import CliCommand
from ragcrawler.commands.base.explicit_settings import explicit_settings
from ragcrawler.commands.serving.serve import require_extra


class Command(CliCommand, ScrapyCommand):
    """Answers by the Model Context Protocol until its standard input ends."""

    requires_project = False
    interrupted = 0

    def syntax(self) -> str:
        return ""

    def short_desc(self) -> str:
        return "Offer the collection to a language model as tools (MCP over stdio)"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - Scrapy's signature
        """Open the collection, through `scrapy serve` where that runs, and answer.

        Raises:
            UsageError: there is an argument.
        """
        from ragcrawler.bootstrap.start_error import StartError

        if args:
            raise UsageError("mcp takes options only")
        # Standard output is the protocol's.
        logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s", stream=sys.stderr)
        try:
            _answer(explicit_settings(self.settings))
        except StartError as error:
            self.refuse(str(error))
        except KeyboardInterrupt:
            self.exitcode = self.interrupted


def _answer(given: dict[str, object]) -> None:
    from ragcrawler.bootstrap.start_error import start_errors
    from ragcrawler.config.defaults import project_settings
    from ragcrawler.config.server import server_config

    require_extra()
    with start_errors():
        settings = project_settings(**given)
        config = server_config(settings, "127.0.0.1", 0)
    from ragcrawler.server.services.collection import ServedCollection
    from ragcrawler.server.tools.stdio import serve_stdio
    from ragcrawler.services import RateLimit

    asks = RateLimit.averaging(config.asks_per_minute / 60, 60)
    with ServedCollection.open(settings, may_share=True) as collection:
        asyncio.run(serve_stdio(collection, asks))
