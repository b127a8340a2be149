"""Writes the report when a crawl ends."""

import json
import logging

from scrapy import Request, signals
from scrapy.crawler import Crawler

from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.reporting.crawl_measures import crawl_measures
from ragcrawler.run.reporting.html import run_page
from ragcrawler.run.reporting.recorded_run import read_run
from ragcrawler.run.reporting.report import (
    ExitCode,
    RunReport,
    chunk_counts,
    document_counts,
    own_stats,
)
from ragcrawler.run.reporting.report_markdown import report_markdown
from ragcrawler.run.reporting.stat_rows import counts_under
from ragcrawler.run.saved_crawls.state_loss import StateLoss
from ragcrawler.stores.disk.durable_file import write_all_durably

logger = logging.getLogger(__name__)

_MOST_DOMAINS = 100
EXIT_CODE = "ragcrawler/report/exit_code"


class ReportExtension:
    """Adds up ledger and stats into `report.json`, `report.md` and `report.html` of the run's folder."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.run = CrawlRun.of(crawler)
        self.frontier = frontier_of(crawler)
        crawler.signals.connect(self.response_downloaded, signal=signals.response_downloaded)
        crawler.signals.connect(self.spider_closed, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "ReportExtension":
        return cls(crawler)

    def response_downloaded(self, request: Request) -> None:
        """Enter how long its site was waited for, until the headers came."""
        latency = request.meta.get("download_latency")
        if latency is not None:
            self.run.times.add("fetch_wait", latency)

    def spider_closed(self, reason: str) -> None:
        """Write the report and leave the exit code among the stats, where the command finds it."""
        if StateLoss.of(self.crawler).is_noted and self.run.writes_report:
            # What is done and what is open, the next run reads from what the state has.
            self.crawler.stats.set_value(EXIT_CODE, int(ExitCode.INTERRUPTED))
            return
        if not self.run.writes_report:
            self._leave()
            return
        report = self._report(reason)
        code = report.exit_code
        try:
            self._write(report)
        except OSError as error:
            logger.error("The report cannot be written: %s", error)  # noqa: TRY400 - for the user, without a stack trace
            code = code or ExitCode.PAGES_LOST
        self.crawler.stats.set_value(EXIT_CODE, int(code))

    def _write(self, report: RunReport) -> None:
        folder = self.run.folder
        folder.make()
        recorded = read_run(folder, report)
        as_json = json.dumps(report.to_json(), ensure_ascii=False, indent=2, default=str) + "\n"
        reports = {
            folder.report_json.name: as_json,
            folder.report_markdown.name: report_markdown(recorded),
            folder.report_html.name: run_page(recorded),
        }
        write_all_durably(folder.path, reports)
        logger.info(
            "The report is in %s, and for a browser in %s", folder.report_markdown, folder.report_html.name
        )

    def _leave(self) -> None:
        """End a worker beside others: its own part decides its exit code."""
        run, shared = self.run, self.run.shared_crawl
        is_lost = shared is not None and shared.role == "lost"
        ends: tuple[tuple[object, ExitCode], ...] = (
            (run.refusal, ExitCode.NOT_STARTED),
            (is_lost or not self.crawler.crawling, ExitCode.INTERRUPTED),
            (run.failures.count, ExitCode.PAGES_LOST),
        )
        code = next((code for holds, code in ends if holds), ExitCode.WHOLE)
        self.crawler.stats.set_value(EXIT_CODE, int(code))
        if is_lost:
            return
        reporter = shared.reporter() if shared is not None else None
        if reporter is None:
            logger.info("Other workers go on with the crawl: the last of them writes the report")
        else:
            logger.info("The report of all workers is in runs/%s on %s", reporter.run, reporter.machine)

    def _report(self, reason: str) -> RunReport:
        run, speed = self.run, self.run.times.chunks_per_second()
        whole = crawl_measures(run, own_stats(self.crawler.stats.get_stats()), self.frontier.totals)
        return RunReport(
            spider=self.crawler.spidercls.name,
            started=whole.started,
            elapsed_seconds=whole.elapsed_seconds,
            end=reason if self.crawler.crawling else "shutdown",
            refusal=run.refusal,
            pages=self.frontier.counts(),
            chunks=chunk_counts(whole.stats, run.deletions),
            collection=run.configuration.collection_place,
            collection_points=run.points,
            models=run.collection_models,
            converters=counts_under(whole.stats, "convert/by/"),
            stats=whole.stats,
            documents=document_counts(whole.stats, run.deletions),
            deletions=tuple(run.deletions),
            is_dry=run.options.is_dry,
            named_unfinished=len(self.frontier.named.unfinished),
            times=whole.times,
            summaries_stopped=run.summaries_stopped,
            chunks_per_second=None if speed is None else round(speed, 2),
            workers=whole.workers,
            earlier_runs=() if run.shared_crawl else run.earlier_runs,
            activity=whole.activity,
            domains=tuple(site.name for site in self.frontier.scope.sites[:_MOST_DOMAINS]),
            arguments=getattr(self.crawler.spider, "shown_arguments", {}),
        )
