"""Writes the report when a crawl ends."""

import json
import logging
import time
from datetime import UTC, datetime
from typing import Any

from scrapy import Request, signals
from scrapy.crawler import Crawler

from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.reporting.report import PREFIX, RunReport, chunk_counts, document_counts
from ragcrawler.run.reporting.report_markdown import report_markdown
from ragcrawler.stores.disk.durable_file import write_all_durably

logger = logging.getLogger(__name__)

EXIT_CODE = "ragcrawler/report/exit_code"


class ReportExtension:
    """Adds up ledger and stats into `report.json` and `report.md` of the run's folder."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.run = CrawlRun.of(crawler)
        self.frontier = frontier_of(crawler)
        self._started = datetime.now(UTC)
        self._start_seconds = time.monotonic()
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
        report = self._report(reason)
        self.crawler.stats.set_value(EXIT_CODE, int(report.exit_code))
        folder = self.run.folder
        folder.make()
        as_json = json.dumps(report.to_json(), ensure_ascii=False, indent=2, default=str) + "\n"
        reports = {folder.report_json.name: as_json, folder.report_markdown.name: report_markdown(report)}
        write_all_durably(folder.path, reports)
        logger.info("The report is in %s", folder.report_markdown)

    def _report(self, reason: str) -> RunReport:
        stats = self.crawler.stats.get_stats()
        speed = self.run.times.chunks_per_second()
        converters = f"{PREFIX}convert/by/"
        return RunReport(
            spider=self.crawler.spidercls.name,
            started=self._started.isoformat(timespec="seconds"),
            elapsed_seconds=round(time.monotonic() - self._start_seconds, 3),
            end=reason if self.crawler.crawling else "shutdown",
            refusal=self.run.refusal,
            pages=self.frontier.counts(),
            chunks=chunk_counts(stats, self.run.deletions),
            collection=self.run.configuration.collection_place,
            collection_points=self.run.points,
            models=self.run.collection_models,
            converters=_under(stats, converters),
            stats={name: value for name, value in stats.items() if name.startswith(PREFIX)},
            documents=document_counts(stats, self.run.deletions),
            deletions=tuple(self.run.deletions),
            is_dry=self.run.options.is_dry,
            named_unfinished=len(self.frontier.named.unfinished),
            times=self.run.times.all(),
            summaries_stopped=self.run.summaries_stopped,
            chunks_per_second=None if speed is None else round(speed, 2),
        )


def _under(stats: dict[str, Any], prefix: str) -> dict[str, int]:
    return {name.removeprefix(prefix): value for name, value in stats.items() if name.startswith(prefix)}
