"""`scrapy demo`: the main job on a small website that ships with the project."""

import argparse
import shutil
import sys
from pathlib import Path
from typing import cast

from scrapy.commands import ScrapyCommand
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.settings import Settings

from ragcrawler.commands.base.setting_warnings import warn_of_names
from ragcrawler.commands.base.stoppable_crawler import StoppableCrawler


class Command(ScrapyCommand):
    """Serves the site on this machine, crawls it with the real spider, and asks it three questions."""

    requires_project = True
    output = ""  # its own folder, unless `-s OUTPUT_DIR=` names another

    def short_desc(self) -> str:
        return "Crawl a small website that ships with the project, and ask it three questions"

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Set what the demo wants otherwise than the project; `-s` still wins."""
        settings = cast(Settings, self.settings)
        self.output = str(Path(settings["OUTPUT_DIR"], "demo"))
        settings.setdict({"OUTPUT_DIR": self.output, "LOG_LEVEL": "WARNING"}, priority="project")
        super().process_options(args, opts)
        warn_of_names(self.settings)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - Scrapy's signature
        """Serve, crawl, ask; the exit code is the crawl's, or 1 where a question has no answer."""
        from ragcrawler.commands.base.validate_settings import validate_settings
        from ragcrawler.extensions.report import EXIT_CODE
        from ragcrawler.site_server import DEMO_SITE, SiteServer

        settings = cast(Settings, self.settings)
        if refusal := validate_settings(settings):
            sys.stderr.write(f"Error: {refusal}\n")
            self.exitcode = 1
            return
        if settings["OUTPUT_DIR"] == self.output:
            # The site gets another port each time: what an earlier demo stored has links that lead nowhere.
            shutil.rmtree(Path(self.output) / "qdrant", ignore_errors=True)
        with SiteServer(DEMO_SITE) as server:
            sys.stderr.write(f"Crawling the website in {DEMO_SITE}, served at {server.url}\n")
            crawler = self._crawl(server.url)
        self.exitcode = int(crawler.stats.get_value(EXIT_CODE, 1))
        if self.exitcode in (0, 4):
            self._ask(crawler, settings)

    def _crawl(self, url: str) -> Crawler:
        process = cast(AsyncCrawlerProcess, self.crawler_process)
        crawler = StoppableCrawler(process.spider_loader.load("seeds"), process.settings)
        process.crawl(crawler, domains=url)
        process.start()
        return crawler

    def _ask(self, crawler: Crawler, settings: Settings) -> None:
        from ragcrawler.bootstrap import open_retriever
        from ragcrawler.commands.base.demo_answers import print_answers, print_places
        from ragcrawler.config.defaults import project_settings
        from ragcrawler.site_server import DEMO_SITE

        with open_retriever(**{name: settings[name] for name in project_settings()}) as retriever:
            answered = print_answers(retriever, DEMO_SITE / "questions.json")
        print_places(crawler, settings["OUTPUT_DIR"])
        if not answered:
            self.exitcode = 1
