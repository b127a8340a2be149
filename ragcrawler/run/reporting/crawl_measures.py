"""What is counted and timed for a report: by this process, or by all that shared the crawl."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ragcrawler.frontier.states.totals import CrawlTotals
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.reporting.activity import CrawlActivity
from ragcrawler.run.reporting.stage_times import Stage, StageTime
from ragcrawler.run.reporting.stat_rows import PREFIX
from ragcrawler.run.reporting.worker_result import (
    CrawlWorker,
    WorkerResult,
    added_activity,
    added_stats,
    added_times,
    workers_of,
)


@dataclass(frozen=True, slots=True)
class CrawlMeasures:
    """Those of a crawl.

    Attributes:
        started: ISO 8601, UTC.
        elapsed_seconds: wall time.
        stats: of this program.
        times: by stage, added up.
        activity: what they saw page by page.
        workers: that shared the crawl; empty where it was one process.
    """

    started: str
    elapsed_seconds: float
    stats: Mapping[str, Any]
    times: Mapping[Stage, StageTime]
    activity: CrawlActivity
    workers: tuple[CrawlWorker, ...] = ()


def crawl_measures(run: CrawlRun, stats: Mapping[str, Any], totals: CrawlTotals) -> CrawlMeasures:
    """Those of a run, or of all workers of the crawl that it ends.

    Args:
        run: that writes the report.
        stats: of this process.
        totals: of the crawl.
    """
    own = CrawlWorker(run.id, "", run.started.isoformat(timespec="seconds"), run.elapsed_seconds, "")
    if run.shared_crawl is None:
        return CrawlMeasures(own.started, own.elapsed_seconds, stats, run.times.all(), run.activity)
    left = run.shared_crawl.results()
    results = [each for each in left if each.worker.run != run.id]
    activity = added_activity(results, run.activity)
    results.append(WorkerResult(own, stats, run.times.all()))
    started = min(each.worker.started for each in results)
    seconds = (datetime.now(UTC) - datetime.fromisoformat(started)).total_seconds()
    return CrawlMeasures(
        started,
        round(seconds, 3),
        added_stats(results, totals.values, PREFIX),
        added_times(results),
        activity,
        workers_of(left, (*run.shared_crawl.runs, run.id)),
    )
