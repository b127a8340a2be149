"""What became of pages: fates, failures, status codes, durations, duplicates."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

from lxml import etree

from ragcrawler.frontier import UrlCounts
from ragcrawler.retrieval.formatting.html import Child, element
from ragcrawler.run.reporting.html.lists import and_more, page_link, page_list, shortened, wide_table
from ragcrawler.run.reporting.html.plots import bar_table, histogram_table
from ragcrawler.run.reporting.html.recorded_run import RecordedRun
from ragcrawler.run.reporting.rows.outcomes import by_purpose

Elements = Iterator[etree._Element]
Key = TypeVar("Key")

_NOT_RECORDED = "It was not recorded: this run left no measures."
_DUPLICATES = ("duplicate_content", "near_duplicate")
_MOST_ROWS = 60


def fates(run: RecordedRun, most: int) -> Elements:  # noqa: ARG001 - all sections have one shape
    """What became of the URLs seen, by reason."""
    if run.report is None:
        yield element("p", "Only a report tells.")
        return
    pages = run.report.pages
    yield element("p", f"{pages.seen:,} URLs were seen.")
    yield _bounded_bars(("URLs", "count"), _fate_rows(pages))
    if pages.skipped:
        text = "Skipped URLs were left out on purpose; docs/crawling.md explains the words."
        yield element("p", text, class_="quiet")


def failures(run: RecordedRun, most: int) -> Elements:
    """Lost pages by stage and reason, and each with what happened."""
    lost = run.failures
    if not lost.total:
        yield element("p", "No page was lost.")
        return
    counts = {f"{stage}: {reason}": count for (stage, reason), count in _largest(lost.counts).items()}
    yield _bounded_bars(("stage and reason", "pages"), counts)
    shown = lost.first[:most]
    rows: list[list[Child]] = [
        [page_link(each.url), each.stage, each.reason, shortened(each.message), str(each.attempts)]
        for each in shown
    ]
    yield wide_table("Lost pages", ("URL", "stage", "reason", "message", "tries"), rows)
    yield from _lines(and_more(lost.total - len(shown), " in failures.jsonl"))


def status_codes(run: RecordedRun, most: int) -> Elements:  # noqa: ARG001 - all sections have one shape
    """Responses by status code."""
    statuses = run.activity.statuses
    if not statuses:
        yield element("p", _NOT_RECORDED)
        return
    text = "All responses of the sites, those to robots.txt, listings and repeated requests too."
    yield element("p", text, class_="quiet")
    yield _bounded_bars(("status", "responses"), dict(sorted(statuses.items())))


def durations(run: RecordedRun, most: int) -> Elements:
    """How long pages took, and the slowest."""
    seconds = run.activity.seconds
    if not seconds.count:
        yield element("p", _NOT_RECORDED)
        return
    text = (
        f"From the request to the page's end: {seconds.mean:.2f} s on average, {seconds.maximum:.2f} s at "
        "most. It waits for the site, is converted, embedded and stored, and waits for its turn in between."
    )
    yield element("p", text, class_="quiet")
    yield histogram_table(("seconds", "pages"), seconds, " s")
    yield element("h3", "Slowest pages")
    rows: list[list[Child]] = [
        [page_link(each.url), f"{each.seconds:.2f}", f"{each.wait_seconds:.2f}"]
        for each in run.activity.slowest[:most]
    ]
    yield wide_table("Slowest pages", ("URL", "seconds", "of these for the site"), rows)


def duplicates(run: RecordedRun, most: int) -> Elements:
    """Pages whose text another page has."""
    skipped = run.report.pages.skipped if run.report else {}
    counts = {name: skipped[name] for name in _DUPLICATES if skipped.get(name)}
    if not counts:
        yield element("p", "None was found.")
        return
    yield bar_table(("pages with the text of another", "count"), counts)
    listed = [(each.url, each.note) for each in run.activity.listed["duplicates"]]
    yield page_list(listed, max(sum(counts.values()), len(listed)), most)


def _fate_rows(pages: UrlCounts) -> Mapping[str, int]:
    skipped, unreached = by_purpose(pages)
    return {
        "fetched": pages.fetched,
        **{f"skipped: {reason}": count for reason, count in _largest(skipped).items()},
        **{f"not reached: {reason}": count for reason, count in _largest(unreached).items()},
        **{f"failed: {reason}": count for reason, count in _largest(pages.failed).items()},
    }


def _largest(counts: Mapping[Key, int]) -> Mapping[Key, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0]))))


def _bounded_bars(heads: tuple[str, str], rows: Mapping[str, int]) -> etree._Element:
    shown = dict(list(rows.items())[:_MOST_ROWS])
    return element("div", bar_table(heads, shown), *and_more(len(rows) - len(shown)))


def _lines(children: list[Child]) -> Elements:
    return (each for each in children if not isinstance(each, str))
