"""`scrapy convert`: one document to Markdown, to see what the crawl would make of it."""

import argparse
import sys
from pathlib import Path
from typing import Any, ClassVar
from urllib.error import URLError
from urllib.request import Request, urlopen

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

_SCHEMES = ("http://", "https://")
_TIMEOUT_SECONDS = 30


class Command(ScrapyCommand):
    """Prints the Markdown on stdout; warnings, and what went wrong, on stderr."""

    requires_crawler_process = False
    requires_project = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """What stands behind the command's name."""
        return "URL_OR_FILE [options]"

    def short_desc(self) -> str:
        """One line for the list of commands."""
        return "Convert a page or file to Markdown"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Where relative links lead, and the form of the output."""
        super().add_options(parser)
        parser.add_argument("--url", metavar="U", help="the address of a file: relative links start from it")
        parser.add_argument("--pretty", action="store_true", help="render it for the terminal")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Convert; a document that cannot be converted is one line on stderr and exit code 1."""
        from ragcrawler.conversion import ConversionError, ConversionLimits, convert

        if len(args) != 1:
            raise UsageError("name one URL or file")
        limits = ConversionLimits()
        try:
            body, content_type, url = _load(args[0], opts.url, limits.max_input_bytes)
            converted = convert(body, content_type, url, limits=limits)
        except ConversionError as error:
            self._refuse(f"{args[0]}: {error.reason}: {error}")
            return
        except (OSError, URLError, ValueError) as error:
            self._refuse(f"{args[0]}: {error}")
            return
        for warning in converted.metadata.warnings:
            sys.stderr.write(f"Warning: {warning}\n")
        _print(converted.markdown, is_pretty=opts.pretty)

    def _refuse(self, reason: str) -> None:
        sys.stderr.write(f"Error: {reason}\n")
        self.exitcode = 1


def _load(source: str, url: str | None, max_bytes: int) -> tuple[bytes, str, str]:
    """Body, content type and address; one byte over the limit is read, for the converter to refuse."""
    if "://" in source and not source.lower().startswith(_SCHEMES):
        raise ValueError("only http and https addresses can be fetched; name those, or a file")
    if "://" not in source:
        path = Path(source)
        with path.open("rb") as file:
            return file.read(max_bytes + 1), "", url or path.resolve().as_uri()
    request = Request(source, headers={"User-Agent": "ragcrawler"})  # noqa: S310 (the scheme was looked at)
    with urlopen(request, timeout=_TIMEOUT_SECONDS) as response:  # noqa: S310 (the scheme was looked at)
        return response.read(max_bytes + 1), response.headers.get("Content-Type", ""), url or response.url


def _print(markdown: str, *, is_pretty: bool) -> None:
    if not is_pretty:
        sys.stdout.write(markdown)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console(file=sys.stdout).print(Markdown(markdown))
