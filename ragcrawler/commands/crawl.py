"""`scrapy crawl`, which says by its exit code how the crawl went, and refuses wrong arguments at once."""

import argparse
import sys
from typing import Any

from scrapy.commands.crawl import Command as CrawlCommand
from scrapy.crawler import Crawler


class Command(CrawlCommand):
    """Scrapy's own returns 0 after lost pages, and after nothing was fetched at all."""

    def __init__(self) -> None:
        super().__init__()
        self.crawler: Crawler | None = None

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check settings and arguments, crawl, and set the exit code."""
        refusal = self._refusal(args, opts)
        if refusal:
            sys.stderr.write(f"Error: {refusal}\n")
            self.exitcode = 1
            return
        super().run(args, opts)
        self.exitcode = self.exitcode or self._exit_code()

    def _create_crawler(self, spidercls: Any) -> Crawler:
        self.crawler = super()._create_crawler(spidercls)
        return self.crawler

    def _refusal(self, args: list[str], opts: argparse.Namespace) -> str:
        """What is wrong with settings, arguments or the output folder; "" where nothing is."""
        from ragcrawler.bootstrap.start_check import start_refusal

        assert self.settings is not None
        assert self.crawler_process is not None
        if refusal := start_refusal(self.settings):
            return refusal
        if len(args) != 1:
            return ""  # Scrapy prints the usage
        try:
            check = getattr(self.crawler_process.spider_loader.load(args[0]), "check_arguments", None)
        except KeyError:
            return f"there is no spider {args[0]!r}; `scrapy list` names them"
        try:
            if check:
                check(opts.spargs)
        except ValueError as error:
            return str(error)
        return ""

    def _exit_code(self) -> int:
        from ragcrawler.extensions.report import EXIT_CODE

        if self.crawler is None or self.crawler._stats is None:
            return 1
        return int(self.crawler.stats.get_value(EXIT_CODE, 1))
