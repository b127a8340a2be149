"""`scrapy crawl`, which says by its exit code how the crawl went, and refuses wrong arguments at once."""

import argparse
import logging
import sys
from pathlib import Path
from typing import Any, cast

from scrapy.commands.crawl import Command as CrawlCommand
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.settings import Settings

from ragcrawler.commands.base.setting_warnings import warn_of_names
from ragcrawler.commands.base.stoppable_crawler import StoppableCrawler
from ragcrawler.urls.credentials import mask_credentials

logger = logging.getLogger(__name__)


class Command(CrawlCommand):
    """Scrapy's own returns 0 after lost pages, and after nothing was fetched at all."""

    def __init__(self) -> None:
        super().__init__()
        self.crawler: Crawler | None = None

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Scrapy's own, and a crawl that only looks."""
        super().add_options(parser)
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="say what would change in the collection, and write nothing",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check settings and arguments, crawl, and set the exit code."""
        warn_of_names(self.settings)
        if opts.dry_run:
            opts.spargs["dry_run"] = "1"
        refusal = self._refusal(args, opts)
        if refusal:
            sys.stderr.write(f"Error: {mask_credentials(refusal)}\n")
            if cast(Settings, self.settings).get("LOG_FILE"):  # else the log is what was written to just now
                logger.error("%s", mask_credentials(refusal))
            self.exitcode = 1
            return
        super().run(args, opts)
        self.exitcode = self.exitcode or self._exit_code()
        self._say_what_is_wrong()

    def _create_crawler(self, spidercls: Any) -> Crawler:
        from ragcrawler.run.saved_crawls.state_loss import StateLoss

        process = cast(AsyncCrawlerProcess, self.crawler_process)
        spider = process.spider_loader.load(spidercls) if isinstance(spidercls, str) else spidercls
        crawler = StoppableCrawler(spider, process.settings)
        self.crawler = super()._create_crawler(crawler)  # type: ignore[arg-type]  # it takes these as well
        # The state is opened with the spider, before the engine gives its first signal.
        StateLoss.of(self.crawler).watch()
        return self.crawler

    def _refusal(self, args: list[str], opts: argparse.Namespace) -> str:
        """The error in settings, arguments or the output folder; "" where there is none."""
        from ragcrawler.commands.base.validate_settings import validate_settings

        if refusal := validate_settings(cast(Settings, self.settings)):
            return refusal
        if len(args) != 1:
            return ""  # Scrapy prints the usage
        try:
            spider = cast(AsyncCrawlerProcess, self.crawler_process).spider_loader.load(args[0])
            if hasattr(spider, "check_arguments"):
                spider.check_arguments(opts.spargs, self.settings)
        except KeyError:
            return f"there is no spider {args[0]!r}; `scrapy list` names them"
        except ValueError as error:
            return str(error)
        return ""

    def _say_what_is_wrong(self) -> None:
        from ragcrawler.frontier.states.sqlite import FrontierStateError
        from ragcrawler.run.crawl_frontier import frontier_of
        from ragcrawler.run.crawl_run import CrawlRun
        from ragcrawler.run.reporting.report import ExitCode
        from ragcrawler.run.reporting.stat_rows import search_losses

        meanings = {
            ExitCode.NOTHING_FETCHED: "Nothing was fetched",
            ExitCode.PAGES_LOST: "Some pages were lost",
            ExitCode.NUMBERS_DISAGREE: "The numbers do not add up",
            ExitCode.DELETION_BRAKED: "Too many documents are gone: none was deleted",
            ExitCode.SUMMARIES_MISSING: "Some passages have no summary",
            ExitCode.INTERRUPTED: "The crawl was interrupted",
        }
        if self.crawler is None or self.exitcode not in meanings:
            return
        run = CrawlRun.of(self.crawler)
        try:
            counts = frontier_of(self.crawler).counts()
        except (
            FrontierStateError
        ):  # was said when the crawl stopped: nothing is lost, and nothing to be counted
            sys.stderr.write(f"{meanings[ExitCode(self.exitcode)]}: the same command goes on with it\n")
            return
        # What a crawl leaves out on purpose is no loss; where it has nothing at all, it is the explanation.
        losses = search_losses(self.crawler.stats.get_stats())
        told = counts.failed if counts.fetched else {**counts.failed, **counts.skipped}
        reasons = ", ".join(f"{reason} {count}" for reason, count in told.items())
        reasons = ", ".join(filter(None, (reasons, *(f"{name} {count}" for name, count in losses.items()))))
        if unfinished := len(frontier_of(self.crawler).named.unfinished):
            reasons += f"{', ' if reasons else ''}named and not done {unfinished}"
        meaning = meanings[ExitCode(self.exitcode)]
        if losses and not counts.failed:
            meaning = "Some search engines did not answer" if counts.fetched or not counts.seen else meaning
            meaning = "No search engine answered" if self.exitcode == ExitCode.NOTHING_FETCHED else meaning
        sys.stderr.write(f"{_sentence(meaning, reasons, run.folder.report_markdown)}\n")

    def _exit_code(self) -> int:
        from ragcrawler.extensions.report import EXIT_CODE

        if self.crawler is None or self.crawler._stats is None:
            return 1
        return int(self.crawler.stats.get_value(EXIT_CODE, 1))


def _sentence(meaning: str, reasons: str, report: Path) -> str:
    told = f"{meaning} ({reasons})" if reasons else meaning
    if report.exists():
        return f"{told}: see {report}"
    return f"{told}, and the report is missing" if reasons else "The report is missing"
