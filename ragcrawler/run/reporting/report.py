"""The report of a run, in numbers that add up."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import IntEnum
from typing import Any

from ragcrawler.frontier import UrlCounts
from ragcrawler.run.indexing.deletion import SiteDeletion
from ragcrawler.run.outcomes import DISK_FULL, NOT_DUE, SHUTDOWN, UNCHANGED
from ragcrawler.run.reporting.activity import CrawlActivity
from ragcrawler.run.reporting.stage_times import Stage, StageTime
from ragcrawler.run.reporting.stat_rows import (
    PREFIX,
    count_of,
    is_search_unanswered,
    lacking_summaries,
    search_losses,
)
from ragcrawler.run.reporting.worker_result import CrawlWorker
from ragcrawler.stores import CollectionModels


class ExitCode(IntEnum):
    """How `scrapy crawl` ends, for programs that call it."""

    WHOLE = 0
    NOT_STARTED = 1
    NOTHING_FETCHED = 3
    PAGES_LOST = 4
    NUMBERS_DISAGREE = 5
    DELETION_BRAKED = 6
    SUMMARIES_MISSING = 7
    INTERRUPTED = 130


_CODES_OF_ENDS = {SHUTDOWN: ExitCode.INTERRUPTED, DISK_FULL: ExitCode.PAGES_LOST}


@dataclass(frozen=True, slots=True)
class ChunkCounts:
    """The way of the chunks: `made == points + lost`, and `points == new + updated + unchanged`.

    Attributes:
        made: cut from documents.
        points: in the store, written or found unchanged.
        lost: not embedded or not written.
        unchanged: of the points, those that were as they should be and not touched.
        removed: points that their documents no longer have, and those of documents that are gone.
        tokens: of all chunks made.
        new: of the points, those that were not there.
        updated: of the points, those written anew: moved, under another heading, or with another vector.
        embedded: texts that the models read for them.
        cached: chunks whose vectors the cache had.
        untouched: points of pages that did not change, from which no chunks were made.
    """

    made: int
    points: int
    lost: int
    unchanged: int
    removed: int
    tokens: int
    new: int = 0
    updated: int = 0
    embedded: int = 0
    cached: int = 0
    untouched: int = 0


@dataclass(frozen=True, slots=True)
class DocumentCounts:
    """Counts of documents in the collection.

    Attributes:
        new: not stored before.
        changed: stored before, with other chunks or the same in other places.
        same_text: pages that came otherwise and said the same: nothing was written.
        unchanged: pages that came as they were: they were not even converted.
        removed: gone, with all their chunks.
        waiting: found gone, and kept until enough runs agree.
        spared: gone, and kept by the brake.
    """

    new: int = 0
    changed: int = 0
    same_text: int = 0
    unchanged: int = 0
    removed: int = 0
    waiting: int = 0
    spared: int = 0


@dataclass(frozen=True, slots=True)
class RunReport:
    """One run.

    Attributes:
        spider: its name.
        started: ISO 8601, UTC.
        elapsed_seconds: wall time.
        end: Scrapy's reason for the end, "finished" for a whole crawl.
        refusal: why the run could not start, "" if it did.
        pages: what became of every URL.
        chunks: what became of every chunk.
        collection: where the points are.
        collection_points: points in the whole collection at the end, None where it could not be asked.
        models: that embedded, None where the run could not start.
        converters: documents by the path that converted them.
        stats: all other stats of ours.
        documents: what became of documents in the collection.
        deletions: by site, which were found gone.
        is_dry: nothing was written: the numbers say what would have been.
        named_unfinished: URLs that the user named and that were not asked for, or not to the end.
        times: by stage, added up.
        chunks_per_second: that the models can embed on this machine; None where they read too few.
        summaries_stopped: what the budget said when it stopped the summaries; "" where it did not.
        workers: that shared the crawl; empty where it was one process.
        earlier_runs: names of the runs that were broken off and that this one went on from.
        activity: what this run saw page by page; None in reports of older versions.
        domains: that the crawl might visit, the first of them; empty where it visited none.
        arguments: of the spider, as the user gave them, without secrets.
    """

    spider: str
    started: str
    elapsed_seconds: float
    end: str
    refusal: str
    pages: UrlCounts
    chunks: ChunkCounts
    collection: str
    collection_points: int | None
    models: CollectionModels | None
    converters: Mapping[str, int]
    stats: Mapping[str, Any]
    documents: DocumentCounts = DocumentCounts()
    deletions: tuple[SiteDeletion, ...] = ()
    is_dry: bool = False
    named_unfinished: int = 0
    times: Mapping[Stage, StageTime] = field(default_factory=dict)
    chunks_per_second: float | None = None
    summaries_stopped: str = ""
    workers: tuple[CrawlWorker, ...] = ()
    earlier_runs: tuple[str, ...] = ()
    activity: CrawlActivity | None = None
    domains: tuple[str, ...] = ()
    arguments: Mapping[str, str] = field(default_factory=dict)

    @property
    def disagreements(self) -> list[str]:
        """The sums that do not come out; empty where all is well."""
        pages, chunks = self.pages, self.chunks
        skipped, failed = sum(pages.skipped.values()), sum(pages.failed.values())
        found = []
        if pages.seen != pages.fetched + skipped + failed:
            found.append(f"{pages.seen} URLs seen, but {pages.fetched} + {skipped} + {failed} accounted for")
        if chunks.made != chunks.points + chunks.lost:
            found.append(f"{chunks.made} chunks made, but {chunks.points} stored + {chunks.lost} lost")
        if chunks.points != chunks.new + chunks.updated + chunks.unchanged:
            parts = f"{chunks.new} new + {chunks.updated} updated + {chunks.unchanged} unchanged"
            found.append(f"{chunks.points} chunks stored, but {parts}")
        return found

    @property
    def exit_code(self) -> ExitCode:
        """How the command should end: the first of these that holds."""
        known = (UNCHANGED, NOT_DUE)
        is_nothing_fetched = not self.pages.fetched and not any(map(self.pages.skipped.get, known))
        ends: tuple[tuple[object, ExitCode], ...] = (
            (self.refusal and self.end == SHUTDOWN, ExitCode.INTERRUPTED),
            (self.refusal, ExitCode.NOT_STARTED),
            (self.disagreements, ExitCode.NUMBERS_DISAGREE),
            (self.end in _CODES_OF_ENDS, _CODES_OF_ENDS.get(self.end, ExitCode.WHOLE)),
            (is_search_unanswered(self.stats), ExitCode.NOTHING_FETCHED),
            (is_nothing_fetched and self.pages.seen, ExitCode.NOTHING_FETCHED),
            (self.documents.spared, ExitCode.DELETION_BRAKED),
            (self.pages.failed or self.named_unfinished, ExitCode.PAGES_LOST),
            (search_losses(self.stats), ExitCode.PAGES_LOST),
            (lacking_summaries(self.stats) and not self.is_dry, ExitCode.SUMMARIES_MISSING),
        )
        return next((code for holds, code in ends if holds), ExitCode.WHOLE)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON types."""
        return {
            **asdict(replace(self, activity=None)),
            "activity": self.activity.to_json() if self.activity else None,
            "disagreements": self.disagreements,
            "exit_code": int(self.exit_code),
        }


def own_stats(stats: Mapping[str, Any]) -> dict[str, Any]:
    """Those of this program."""
    return {name: value for name, value in stats.items() if name.startswith(PREFIX)}


def chunk_counts(stats: Mapping[str, Any], deletions: Sequence[SiteDeletion] = ()) -> ChunkCounts:
    """Read the counts of the pipelines."""
    return ChunkCounts(
        made=count_of(stats, "chunk/chunks"),
        points=count_of(stats, "upsert/points"),
        lost=count_of(stats, "embed/lost") + count_of(stats, "upsert/lost"),
        unchanged=count_of(stats, "upsert/unchanged"),
        removed=count_of(stats, "upsert/removed") + sum(site.chunks for site in deletions),
        tokens=count_of(stats, "chunk/tokens"),
        new=count_of(stats, "upsert/new"),
        updated=count_of(stats, "upsert/updated"),
        embedded=count_of(stats, "embed/texts"),
        cached=count_of(stats, "embed/cached"),
        untouched=count_of(stats, "documents/unchanged_chunks"),
    )


def document_counts(stats: Mapping[str, Any], deletions: Sequence[SiteDeletion]) -> DocumentCounts:
    """Read the counts of the pipelines, and of what was found gone."""
    return DocumentCounts(
        new=count_of(stats, "documents/new"),
        changed=count_of(stats, "documents/changed"),
        same_text=count_of(stats, "documents/same_text"),
        unchanged=count_of(stats, "documents/unchanged"),
        removed=sum(len(site.due) for site in deletions if not site.is_braked),
        waiting=sum(len(site.waiting) for site in deletions),
        spared=sum(len(site.due) for site in deletions if site.is_braked),
    )
