"""The sections of a report, in order; a section without anything to tell is left out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ragcrawler.conversion.detection.media_type import may_be_text
from ragcrawler.frontier.filters.junk import JUNK, how_to_keep
from ragcrawler.run.reporting.activity import ListedPage
from ragcrawler.run.reporting.activity.crawl_activity import Event, ListName
from ragcrawler.run.reporting.activity.time_series import clock
from ragcrawler.run.reporting.blocks import Block, Course, Grid, Link, Numbers, PageList, Sizes, Text
from ragcrawler.run.reporting.outcome_rows import (
    by_purpose,
    chunk_rows,
    document_rows,
    page_rows,
    skipped_urls,
    unchanged_pages,
    validation_rows,
)
from ragcrawler.run.reporting.recorded_run import RecordedRun
from ragcrawler.run.reporting.report import ExitCode, RunReport
from ragcrawler.run.reporting.stage_times import Stage
from ragcrawler.run.reporting.stat_rows import (
    OTHER_ENDINGS,
    UNREAD_FILES,
    count_of,
    counts_under,
    hardly_found,
    javascript_rows,
    left_out_rows,
    not_rendered,
    proxy_rows,
    quality_rows,
    revisit_rows,
    search_rows,
    summary_rows,
)
from ragcrawler.run.reporting.trace import MOST_SKIPPED

Blocks = Iterator[Block]
BlocksOf = Callable[[RecordedRun], Blocks]

_ENDS = {
    ExitCode.WHOLE: "whole: nothing was lost",
    ExitCode.NOT_STARTED: "it could not begin",
    ExitCode.NOTHING_FETCHED: "nothing was fetched",
    ExitCode.PAGES_LOST: "some pages were lost",
    ExitCode.NUMBERS_DISAGREE: "the numbers do not add up",
    ExitCode.DELETION_BRAKED: "too many pages are gone at once: they were kept",
    ExitCode.SUMMARIES_MISSING: "some summaries are missing",
    ExitCode.INTERRUPTED: "interrupted: the same command goes on",
}
_COMPARED: dict[str, Callable[[RunReport], float | None]] = {
    "pages fetched": lambda report: report.pages.fetched,
    "pages unchanged": lambda report: unchanged_pages(report.pages),
    "URLs skipped": lambda report: skipped_urls(report.pages),
    "URLs not reached": lambda report: sum(by_purpose(report.pages)[1].values()),
    "URLs failed": lambda report: sum(report.pages.failed.values()),
    "chunks stored": lambda report: report.chunks.points,
    "chunks new": lambda report: report.chunks.new,
    "chunks removed": lambda report: report.chunks.removed,
    "texts embedded": lambda report: report.chunks.embedded,
    "points in the collection": lambda report: report.collection_points,
    "seconds": lambda report: report.elapsed_seconds,
}
_DUPLICATES = ("duplicate_content", "near_duplicate")
_DOMAINS_IN_TITLE = 2
_LOOKED_AT = 10  # pages of each list at the head of the report
_PAGES_OVER_TIME: Mapping[str, Event] = {
    "fetched": "pages",
    "unchanged": "unchanged",
    "failed": "failed",
}
_STAGES: Mapping[Stage, tuple[str, str]] = {
    "fetch_wait": ("fetch: waiting for sites", "requests"),
    "convert": ("convert", "pages"),
    "chunk": ("chunk", "documents"),
    "summarize": ("summarize: waiting for the language model", "summaries"),
    "embed_dense": ("embed: dense", "texts"),
    "embed_sparse": ("embed: sparse", "texts"),
    "upsert": ("upsert", "documents"),
}


class Section(NamedTuple):
    """A part of the report.

    Attributes:
        key: names it in links.
        title: over it.
        blocks: what it says of a run.
    """

    key: str
    title: str
    blocks: BlocksOf


def title_of(run: RecordedRun) -> str:
    """Over the whole report."""
    report = run.report
    if report is None:
        return f"Run {run.name}"
    domains, more = report.domains[:_DOMAINS_IN_TITLE], len(report.domains) - _DOMAINS_IN_TITLE
    if not domains:
        return f"Crawl with {report.spider}"
    return f"Crawl of {', '.join(domains)}" + (f" and {more} more" if more > 0 else "")


def head_of(run: RecordedRun) -> Blocks:
    """How it ended, and the numbers that matter most."""
    report = run.report
    if report is None:
        text = "This run left no report: it was killed, or is still at work. This is what its files tell."
        yield Text(text, "bad")
        return
    code = report.exit_code
    verdict = f"{_ENDS[code].capitalize()} (exit code {int(code)})."
    yield Text(verdict, "good" if code == ExitCode.WHOLE else "bad")
    yield from _warnings(report)
    yield Numbers(("the crawl", "in numbers"), _figures(report), look="figures")
    yield Numbers(("the run", ""), _about(report))


def _figures(report: RunReport) -> dict[str, int | float | str]:
    pages, seconds = report.pages, report.elapsed_seconds
    unchanged, unreached = unchanged_pages(pages), sum(by_purpose(pages)[1].values())
    of_this_run = ", this run" if report.earlier_runs else ""
    fetched = report.activity.count("pages") if report.activity else pages.fetched
    return {
        "pages fetched": pages.fetched,
        **({"pages unchanged": unchanged} if unchanged else {}),
        "URLs skipped": skipped_urls(pages),
        **({"URLs not reached": unreached} if unreached else {}),
        "URLs failed": sum(pages.failed.values()),
        "chunks stored": report.chunks.points,
        f"time{of_this_run}": clock(seconds),
        f"pages a second{of_this_run}": round(fetched / seconds if seconds else 0.0, 2),
    }


def _about(report: RunReport) -> dict[str, str]:
    total, models = report.collection_points, report.models
    unfinished = count_of(report.stats, "upsert/unfinished")
    arguments = {f"-a {name}": value for name, value in report.arguments.items()}
    return {
        "domains": "" if "domains" in report.arguments else ", ".join(report.domains),
        "spider": report.spider,
        **arguments,
        "began": report.started.replace("T", " ").replace("+00:00", " UTC"),
        "ended for": report.refusal or report.end,
        "collection": report.collection,
        "points in it": "unknown" if total is None else f"{total:,}",
        "of these of pages that are not finished": f"{unfinished:,}" if unfinished else "",
        "models": f"{models.dense} and {models.sparse}" if models else "none",
    }


def _warnings(report: RunReport) -> Blocks:
    for text in report.disagreements:
        yield Text(f"The numbers do not add up: {text}.", "bad")
    if report.is_dry:
        yield Text("Dry run: nothing was written; the numbers say what would have been.")
    if report.named_unfinished:
        text = (
            f"URLs that were named and not done when the crawl ended: {report.named_unfinished}. "
            "They stand in `failures.jsonl` as `not_finished`; `-a retry_failed=last` asks for them."
        )
        yield Text(text, "bad")
    if report.summaries_stopped:
        yield Text(f"{report.summaries_stopped}.", "bad")


def _to_look_at(run: RecordedRun) -> Blocks:
    """Pages of which somebody should see whether all is well with them."""
    if run.report is None:
        return
    stats = run.report.stats
    lists: tuple[tuple[ListName, str, int, str], ...] = (
        (
            "not_rendered",
            "Not rendered, though they need JavaScript",
            not_rendered(stats),
            "under JavaScript",
        ),
        ("hardly_found", "Main content hardly found", hardly_found(stats), "under Main content"),
        ("junk", "Left out as junk", run.report.pages.skipped.get(JUNK, 0), "in `skipped.jsonl`"),
    )
    for name, title, count, rest in lists:
        yield PageList(title, run.activity.listed[name][:_LOOKED_AT], count, rest=rest)
    if words := counts_under(stats, "junk/"):
        counts = ", ".join(f"{word} {count:,}" for word, count in words.items())
        yield Text(f"By the word of `JUNK_URL_PATTERN`: {counts}. {how_to_keep(words)}", "quiet")


def _course(run: RecordedRun) -> Blocks:
    if not any(each.length for each in run.stretches):
        return
    yield Course("Pages", run.stretches, _PAGES_OVER_TIME)
    notes = []
    if run.is_estimated:
        notes.append("By the times at which the documents in the feed were fetched.")
    if len(run.stretches) > 1:
        notes.append(f"The crawl went on {len(run.stretches) - 1} times after a break, at the dashed lines.")
    if run.report is not None and (unknown := run.report.pages.fetched - run.activity.count("pages")) > 0:
        notes.append(
            f"Of {unknown:,} fetched pages it is not known when they came: a run that was killed leaves no "
            "measures."
        )
    yield Course("Chunks", run.stretches, {"stored": "chunks"}, tuple(notes))


def _changes(run: RecordedRun) -> Blocks:
    report = run.report
    if report is None:
        return
    yield Numbers(("documents in the collection", "count"), document_rows(report.documents))
    listed = run.activity.listed
    yield PageList("New pages", listed["new"], report.documents.new)
    yield PageList("Changed pages", listed["changed"], report.documents.changed)
    gone = [
        ListedPage(each.url, f"{each.reason}{f' in {each.runs} runs' if each.runs else ''}, {words}")
        for site in report.deletions
        for documents, words in (
            (site.due, _fate_of_the_gone(report, site.is_braked)),
            (site.waiting, "to be confirmed"),
        )
        for each in documents
    ]
    # All of them, so that somebody can look before the brake is released.
    yield PageList("Gone pages", gone, len(gone), is_whole=True)
    if run.last is not None:
        yield Grid("Beside the last crawl", ("", "last", "this", "difference"), _compared(run.last, report))


def _fate_of_the_gone(report: RunReport, is_braked: bool) -> str:
    if is_braked:
        return "kept by the brake"
    return "would be removed" if report.is_dry else "removed"


def _compared(last: RunReport, report: RunReport) -> list[tuple[str, str, str, str]]:
    rows = []
    for name, value_of in _COMPARED.items():
        before, now = value_of(last), value_of(report)
        if before is not None and now is not None:
            rows.append((name, f"{before:,}", f"{now:,}", f"{round(now - before, 3):+,}"))
    return rows


def _fates(run: RecordedRun) -> Blocks:
    if run.report is None:
        return
    pages = run.report.pages
    skipped, unreached = by_purpose(pages)
    yield Text(f"{pages.seen:,} URLs were seen.")
    yield Numbers(("URLs", "count"), page_rows(pages), look="bars")
    if unreached:
        count = sum(unreached.values())
        yield Text(
            f"The crawl ended before it came to {count:,} of the URLs: "
            "start the same crawl again, and it goes on."
        )
    if skipped:
        yield Text(
            f"Skipped URLs were left out on purpose: `skipped.jsonl` has the first {MOST_SKIPPED:,} of each "
            "run, and `docs/crawling.md` explains the words. A crawl with `-s TRACE_URLS=1` writes each URL "
            "with its reason to `urls.jsonl`.",
            "quiet",
        )
    yield from _unread_files(run.report.stats)
    yield from _foreign(run.report.stats)


def _unread_files(stats: Mapping[str, Any]) -> Blocks:
    """Files of a folder that have no converter, and how those that are text are read all the same."""
    endings = counts_under(stats, UNREAD_FILES)
    if endings:
        counts = ", ".join(f"{ending} {count:,}" for ending, count in endings.items())
        text = ",".join(ending for ending in endings if ending != OTHER_ENDINGS and may_be_text(ending))
        how = f" Those that are text are read with `-a as_text={text}`." if text else ""
        yield Text(f"Files without a converter, by their ending: {counts}.{how}", "quiet")


def _foreign(stats: Mapping[str, Any]) -> Blocks:
    """Items that are no pages of ours: whoever yields them should learn that they were seen."""
    items, unusable = (count_of(stats, f"foreign/{name}") for name in ("items", "unusable"))
    if items or unusable:
        yield Text(f"Items of other kinds, passed on untouched and not indexed: {items + unusable}.")
    if unusable:
        yield Text(f"Of these with a text, but without an address of the web as `url`: {unusable}.")


def _failures(run: RecordedRun) -> Blocks:
    lost = run.failures
    if not lost.total:
        return
    kinds = sorted(lost.counts.items(), key=lambda each: (-each[1], each[0]))
    counts = {f"{stage}: {reason}": count for (stage, reason), count in kinds}
    yield Numbers(("stage and reason", "pages"), counts, look="bars")
    yield Text(
        "Each stands in `failures.jsonl` with what happened; a crawl with `-a retry_failed=last` tries them "
        "again.",
        "quiet",
    )
    rows = [
        (Link(each.url), each.stage, each.reason, each.message, str(each.attempts)) for each in lost.first
    ]
    heads = ("URL", "stage", "reason", "message", "tries")
    yield Grid("Lost pages", heads, rows, lost.total, "in `failures.jsonl`")


def _statuses(run: RecordedRun) -> Blocks:
    if run.activity.statuses:
        yield Numbers(("status", "responses"), dict(sorted(run.activity.statuses.items())), look="bars")
        text = "All responses of the sites, those to robots.txt, listings and repeated requests too."
        yield Text(text, "quiet")


def _durations(run: RecordedRun) -> Blocks:
    seconds = run.activity.seconds
    if not seconds.count:
        return
    text = (
        f"From the request to the page's end: {seconds.mean:.2f} s on average, {seconds.maximum:.2f} s at "
        "most. It waits for the site, is converted, embedded and stored, and waits for its turn in between."
    )
    yield Text(text, "quiet")
    yield Sizes(("seconds", "pages"), seconds, " s")
    rows = [
        (Link(each.url), f"{each.seconds:.2f}", f"{each.wait_seconds:.2f}") for each in run.activity.slowest
    ]
    yield Grid("Slowest pages", ("URL", "seconds", "of these for the site"), rows)


def _chunks(run: RecordedRun) -> Blocks:
    if run.report is not None:
        yield Numbers(("what became of the chunks", "count"), chunk_rows(run.report.chunks))
    tokens = run.activity.tokens
    if tokens.count:
        if run.report is None:  # else the next section tells it, of all chunks
            yield Text(f"{tokens.mean:.0f} tokens on average, {tokens.maximum:.0f} at most.", "quiet")
        yield Sizes(("tokens", "chunks"), tokens)


def _validation(run: RecordedRun) -> Blocks:
    if run.report is not None:
        yield Numbers(("how the chunks came out", "count"), validation_rows(run.report))


def _duplicates(run: RecordedRun) -> Blocks:
    skipped = run.report.pages.skipped if run.report else {}
    counts = {name: skipped.get(name, 0) for name in _DUPLICATES}
    yield Numbers(("pages with the text of another", "count"), counts)
    if any(counts.values()):
        yield PageList("", run.activity.listed["duplicates"], sum(counts.values()))


def _sizes(run: RecordedRun) -> Blocks:
    sizes = run.activity.page_bytes
    if sizes.count:
        text = f"{sizes.mean / 1000:,.0f} kB on average, {sizes.maximum / 1000:,.0f} kB at most, unpacked."
        yield Text(text, "quiet")
        yield Sizes(("bytes", "pages"), sizes)
    if run.report is not None:
        yield Numbers(("converted by", "pages"), dict(sorted(run.report.converters.items())), look="bars")


def _revisits(run: RecordedRun) -> Blocks:
    if run.report is not None:
        rows = revisit_rows(run.report.stats, run.report.documents)
        yield Numbers(("stored pages, and those that were visited", "count"), rows)


def _quality(run: RecordedRun) -> Blocks:
    if run.report is not None:
        yield Numbers(("HTML pages by how likely it was found", "count"), quality_rows(run.report.stats))
        pages = run.activity.listed["hardly_found"]
        yield PageList("Hardly found", pages, hardly_found(run.report.stats))
        yield Numbers(("left out of the text", "count"), left_out_rows(run.report.stats))


def _javascript(run: RecordedRun) -> Blocks:
    if run.report is not None:
        yield Numbers(("pages that need JavaScript", "count"), javascript_rows(run.report.stats))
        pages = run.activity.listed["not_rendered"]
        yield PageList("Not rendered", pages, not_rendered(run.report.stats))


def _stats(names: str, rows_of: Callable[[Mapping[str, Any]], Mapping[str, int | str]]) -> BlocksOf:
    """A table of numbers that stand in the stats; `names` says what they are of."""

    def blocks(run: RecordedRun) -> Blocks:
        if run.report is not None:
            yield Numbers((names, "count"), rows_of(run.report.stats))

    return blocks


def _times(run: RecordedRun) -> Blocks:
    report = run.report
    if report is None:
        return
    rows = [
        (
            words,
            f"{spent.count:,} {unit}",
            f"{spent.wall_seconds:,.1f}",
            "" if spent.cpu_seconds is None else f"{spent.cpu_seconds:,.1f}",
        )
        for stage, (words, unit) in _STAGES.items()
        if (spent := report.times.get(stage))
    ]
    if rows:
        yield Grid("", ("stage", "of", "wall seconds, added up", "CPU seconds"), rows)
        yield Text(
            "Wall seconds are added up over what went on at the same time: they may exceed the crawl's own. "
            "CPU seconds are those of the worker process (convert, chunk) or of the thread (embed, upsert); "
            "pages that could not be converted, the frontier and the feed are not in them.",
            "quiet",
        )
    if report.chunks_per_second is not None:
        yield Text(f"The models embed {report.chunks_per_second:.1f} chunks a second on this machine.")


def _workers(run: RecordedRun) -> Blocks:
    workers = run.report.workers if run.report else ()
    if workers:
        yield Text("The numbers of this report are those of all of them.")
        rows = [(each.run, each.machine, each.end, f"{each.elapsed_seconds:,.1f}") for each in workers]
        yield Grid("", ("run", "machine", "end", "seconds"), rows)


SECTIONS: Sequence[Section] = (
    Section("look", "Pages to look at", _to_look_at),
    Section("failures", "Failures", _failures),
    Section("course", "Over time", _course),
    Section("changes", "What changed", _changes),
    Section("urls", "URLs by what became of them", _fates),
    Section("search", "Search engines", _stats("queries, and what they found", search_rows)),
    Section("statuses", "Status codes", _statuses),
    Section("durations", "Duration of pages", _durations),
    Section("quality", "Main content", _quality),
    Section("javascript", "JavaScript", _javascript),
    Section("pages", "Kinds and sizes of pages", _sizes),
    Section("duplicates", "Duplicates", _duplicates),
    Section("chunks", "Chunks", _chunks),
    Section("validation", "Validation", _validation),
    Section("summaries", "Summaries", _stats("passages and their summaries", summary_rows)),
    Section("revisits", "Revisits", _revisits),
    Section("proxies", "Proxies", _stats("what they brought", proxy_rows)),
    Section("time", "Time by stage", _times),
    Section("workers", "Workers", _workers),
)
