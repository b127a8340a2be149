"""`scrapy convert`: one document to Markdown, to see what the crawl would make of it."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.cli_command import CliCommand
from ragcrawler.commands.base.explicit_settings import explicit_settings

if TYPE_CHECKING:
    from ragcrawler.commands.base.page_download import Downloaded
    from ragcrawler.config.reader import SettingsReader

_KIBIBYTE = 1024
_SCHEMES = ("http://", "https://")


class Command(CliCommand, ScrapyCommand):
    """Prints the Markdown on stdout; warnings, and what went wrong, on stderr."""

    requires_crawler_process = False
    requires_project = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "URL_OR_FILE [options]"

    def short_desc(self) -> str:
        return "Convert a page or file to Markdown"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Where relative links lead, and the form of the output."""
        super().add_options(parser)
        parser.add_argument("--url", metavar="U", help="the address of a file: relative links start from it")
        parser.add_argument("--pretty", action="store_true", help="render it for the terminal")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Convert, in a worker process; what cannot be converted is one line on stderr and exit code 1."""
        from ragcrawler.config.configuration import conversion_limits
        from ragcrawler.config.defaults import project_settings
        from ragcrawler.config.reader import SettingsReader
        from ragcrawler.config.worker_limits import worker_limits
        from ragcrawler.conversion import ConversionError
        from ragcrawler.conversion.isolation import ForkServerFailed, convert_in_worker
        from ragcrawler.retrieval.formatting.printable import printable

        if len(args) != 1:
            raise UsageError("name one URL or file")
        try:
            read = SettingsReader(project_settings(**explicit_settings(self.settings)))
            limits = conversion_limits(read)
            source = _load(args[0], limits.max_input_bytes, read)
            url = opts.url or source.url
            converted = convert_in_worker(
                source.body, source.content_type, url, limits=limits, worker=worker_limits(read)
            )
        except ConversionError as error:
            self.refuse(f"{args[0]}: {error.reason}: {error}")
            return
        except (OSError, ValueError, ForkServerFailed) as error:
            self.refuse(f"{args[0]}: {error}")
            return
        for warning in converted.metadata.warnings:
            sys.stderr.write(f"Warning: {printable(warning)}\n")
        _print(converted.markdown, is_pretty=opts.pretty)


def _load(source: str, max_bytes: int, read: "SettingsReader") -> "Downloaded":
    """The document; of one over the limit a byte more than that, for the converter to refuse."""
    from ragcrawler.commands.base.page_download import DownloadBounds, Downloaded, download

    if source.lower().startswith(_SCHEMES):
        bounds = DownloadBounds(
            max_bytes=min(max_bytes, read.integer("DOWNLOAD_MAXSIZE") or max_bytes),
            timeout_seconds=read.number("DOWNLOAD_TIMEOUT"),
            max_header_bytes=read.integer("DOWNLOAD_MAX_HEADER_KIBIBYTES", minimum=8) * _KIBIBYTE,
            max_redirects=read.integer("REDIRECT_MAX_TIMES"),
        )
        return download(source, bounds=bounds, user_agent=read.text("USER_AGENT"))
    if "://" in source:
        raise ValueError("only http and https addresses can be fetched; name those, or a file")
    path = Path(source)
    with path.open("rb") as file:
        return Downloaded(file.read(max_bytes + 1), "", path.resolve().as_uri())


def _print(markdown: str, *, is_pretty: bool) -> None:
    if not is_pretty:
        sys.stdout.write(markdown)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console(file=sys.stdout).print(Markdown(markdown))
