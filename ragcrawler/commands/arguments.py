"""`scrapy arguments`: what can be given to a spider with `-a`."""

import argparse
import sys
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.urls.credentials import mask_credentials

_DEFAULT = "seeds"


class Command(ScrapyCommand):
    """Prints the table of arguments that a spider carries as `argument_table`."""

    requires_crawler_process = False
    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return f"[SPIDER]    ({_DEFAULT} unless named)"

    def short_desc(self) -> str:
        return "Explain the -a arguments of a spider"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - Scrapy's signature
        """Print the table; a spider without one is an error.

        Raises:
            UsageError: more than one spider is named.
        """
        from scrapy.spiderloader import get_spider_loader

        if len(args) > 1:
            raise UsageError("name one spider")
        name = args[0] if args else _DEFAULT
        assert self.settings is not None  # noqa: S101 - set by scrapy before it runs a command
        try:
            spider = get_spider_loader(self.settings).load(name)
        except KeyError:
            self._refuse(f"there is no spider {name!r}; `scrapy list` names them")
            return
        table = getattr(spider, "argument_table", ())
        if not table:
            self._refuse(
                f"the spider {name} has no table of its arguments: see its source, {spider.__module__}"
            )
            return
        width = max(len(argument.name) + len(argument.value) for argument in table) + 1
        sys.stdout.write(f"scrapy crawl {name} -a NAME=VALUE ..., with these names:\n\n")
        for argument in table:
            given = f"{argument.name}={argument.value}"
            sys.stdout.write(f"  {given:<{width}}  {argument.meaning}\n")

    def _refuse(self, reason: str) -> None:
        sys.stderr.write(f"Error: {mask_credentials(reason)}\n")
        self.exitcode = 1
