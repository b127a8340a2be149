"""What a run left in its folder, and those before it beside it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from pathlib import Path

from ragcrawler.run.reporting.activity import CrawlActivity
from ragcrawler.run.reporting.activity.time_series import TimeSeries
from ragcrawler.run.reporting.folder import RunFolder
from ragcrawler.run.reporting.read_report import read_report
from ragcrawler.run.reporting.recovered_run import FailureSummary, read_failures, read_feed
from ragcrawler.run.reporting.report import RunReport

_MOST_EARLIER = 50  # runs that are looked at


class ReportUnreadableError(ValueError):
    """A report is damaged; says which and what to do."""


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run, as its report shows it.

    Attributes:
        name: of its folder.
        report: None where it left none: it was killed, or still runs.
        failures: the pages that it lost.
        activity: what was seen page by page, over all runs of the crawl that left it; empty where none did.
        stretches: pages by time, of each of these runs in order.
        last: the report of the last crawl with the same spider into the same collection; None without one.
        is_estimated: whether the activity is read off the feed, for a run that did not record it.
    """

    name: str
    report: RunReport | None
    failures: FailureSummary
    activity: CrawlActivity
    stretches: Sequence[TimeSeries] = ()
    last: RunReport | None = None
    is_estimated: bool = False


def read_run(folder: RunFolder, report: RunReport | None = None) -> RecordedRun:
    """The run of a folder.

    Args:
        folder: of the run.
        report: that is about to be written there; None where it is to be read.

    Raises:
        ReportUnreadableError: its own report is damaged.
        OSError: a file cannot be read.
    """
    report = report or read_report_of(folder.path)
    failures = read_failures(folder.failures)
    if report is None or report.activity is None:
        activity = read_feed(folder.documents)
        run = RecordedRun(folder.path.name, report, failures, activity, (activity.series,), None, True)
    else:
        parts = [*_earlier_activities(folder.path, report), report.activity]
        activity = reduce(CrawlActivity.plus, parts)
        run = RecordedRun(folder.path.name, report, failures, activity, tuple(each.series for each in parts))
    return replace(run, last=_last_like(folder.path, report) if report else None)


def read_report_of(folder: Path) -> RunReport | None:
    """The report of a run's folder; None where there is none.

    Raises:
        ReportUnreadableError: it is damaged.
        OSError: it cannot be read.
    """
    path = RunFolder(folder).report_json
    if not path.exists():
        return None
    try:
        return read_report(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ReportUnreadableError(f"{path} is damaged ({error!r}): name another run") from error


def _earlier_activities(folder: Path, report: RunReport) -> Iterator[CrawlActivity]:
    """Of the runs that this one went on from; of those that were killed what their feeds tell."""
    for name in report.earlier_runs[-_MOST_EARLIER:]:
        earlier = _readable(folder.with_name(name))
        if earlier is not None and earlier.activity is not None:
            yield earlier.activity
        elif not (told := read_feed(RunFolder(folder.with_name(name)).documents)).is_empty:
            yield told


def _last_like(folder: Path, report: RunReport) -> RunReport | None:
    """The last crawl to compare with: no part of the same crawl, and none that wrote nothing."""
    names = sorted((each.name for each in folder.parent.iterdir() if each.name < folder.name), reverse=True)
    others = (name for name in names if name not in report.earlier_runs)
    for name in islice(others, _MOST_EARLIER):
        other = _readable(folder.with_name(name))
        if other is None or other.is_dry or other.refusal:
            continue
        if (other.spider, other.collection) == (report.spider, report.collection):
            return other
    return None


def _readable(folder: Path) -> RunReport | None:
    """The report of another run; a damaged one is not this run's fault."""
    try:
        return read_report_of(folder)
    except (ReportUnreadableError, OSError):
        return None
