"""`scrapy serve`: a search page and an API over the collection."""

import argparse
import asyncio
import logging
import signal
import sys
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.cli_command import CliCommand
from ragcrawler.commands.base.explicit_settings import explicit_settings

if TYPE_CHECKING:
    from ragcrawler.config.server import ServerConfig

_LARGEST_PORT = 65_535


class Command(CliCommand, ScrapyCommand):
    """Serves until it is stopped; it owns an embedded collection as long."""

    requires_project = False
    interrupted = 0  # Ctrl-C is how it ends

    def syntax(self) -> str:
        return "[--host 127.0.0.1] [--port 8000]"

    def short_desc(self) -> str:
        return "Serve a search page and an API over the collection"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Where it listens."""
        super().add_options(parser)
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port; 0 for any free one (8000)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Open the collection and answer requests.

        Raises:
            UsageError: there is an argument, or the port is none.
        """
        from ragcrawler.bootstrap.start_error import StartError

        if args:
            raise UsageError("serve takes options only")
        if not 0 <= opts.port <= _LARGEST_PORT:
            raise UsageError(f"--port is {opts.port}, but should be 0 to {_LARGEST_PORT}")
        logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s", stream=sys.stderr)
        # uvicorn ends in order and then repeats the signal, which must not keep the collection from closing.
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            _serve(explicit_settings(self.settings), opts)
        except StartError as error:
            self.refuse(str(error))
        except KeyboardInterrupt:
            sys.stderr.write("The server has ended.\n")
            self.exitcode = self.interrupted
        finally:
            signal.signal(signal.SIGTERM, before)


def _serve(given: dict[str, object], opts: argparse.Namespace) -> None:
    from ragcrawler.bootstrap.start_error import start_errors
    from ragcrawler.config.defaults import project_settings
    from ragcrawler.config.server import server_config

    require_extra()
    with start_errors():
        settings = project_settings(**given)
        config: ServerConfig = server_config(settings, opts.host, opts.port)
    from ragcrawler.server.run import serve
    from ragcrawler.server.services.collection import ServedCollection

    with ServedCollection.open(settings) as collection:
        asyncio.run(serve(collection, config, tell=_tell))


def require_extra() -> None:
    """Refuse to begin without the packages of the extra.

    Raises:
        StartError: names them, and how they are installed.
    """
    from importlib.util import find_spec

    from ragcrawler.bootstrap.start_error import StartError

    wanted = ("starlette", "uvicorn", "jinja2", "prometheus_client", "mcp")
    missing = [name for name in wanted if find_spec(name) is None]
    if missing:
        raise StartError(f"{', '.join(missing)} is not installed: pip install 'ragcrawler[serve]'")


def _tell(address: str) -> None:
    sys.stdout.write(f"Search at {address}  (Ctrl-C ends it)\n")
    sys.stdout.flush()
