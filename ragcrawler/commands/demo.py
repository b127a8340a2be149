"""`scrapy demo`: the main job on a small website that ships with the project."""

import argparse
import shutil
import sys
from pathlib import Path
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.crawler import Crawler

_OUTPUT = Path("output/demo")


class Command(ScrapyCommand):
    """Serves the site on this machine, crawls it with the real spider, and asks it three questions."""

    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"OUTPUT_DIR": str(_OUTPUT), "LOG_LEVEL": "WARNING"}

    def short_desc(self) -> str:
        """One line for `scrapy`'s list of commands."""
        return "Crawl a small website that ships with the project, and ask it three questions"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - Scrapy's signature
        """Serve, crawl, ask; the exit code is that of the crawl, or 1 where a question has no answer."""
        from ragcrawler.bootstrap.start_check import start_refusal
        from ragcrawler.extensions.report import EXIT_CODE
        from ragcrawler.site_server import SiteServer, demo_site

        assert self.settings is not None
        if refusal := start_refusal(self.settings):
            sys.stderr.write(f"Error: {refusal}\n")
            self.exitcode = 1
            return
        site = demo_site()
        output = Path(self.settings["OUTPUT_DIR"])
        if output == _OUTPUT:
            shutil.rmtree(output / "qdrant", ignore_errors=True)  # the site gets another port each time
        with SiteServer(site) as server:
            print(f"Serving {site} at {server.url} and crawling it ...", file=sys.stderr)
            crawler = self._crawl(server.url)
        self.exitcode = int(crawler.stats.get_value(EXIT_CODE, 1))
        if self.exitcode in (0, 4):
            self._ask(site, crawler)

    def _crawl(self, url: str) -> Crawler:
        assert self.crawler_process is not None
        crawler = self.crawler_process.create_crawler("seeds")
        self.crawler_process.crawl(crawler, domains=url)
        self.crawler_process.start()
        return crawler

    def _ask(self, site: Path, crawler: Crawler) -> None:
        from ragcrawler.bootstrap import open_retriever
        from ragcrawler.commands.demo_answers import print_answers, print_places

        assert self.settings is not None
        with open_retriever(**dict(self.settings)) as retriever:
            answered = print_answers(retriever, site / "questions.json")
        print_places(crawler, self.settings)
        if not answered:
            self.exitcode = 1
