"""What a run did, in numbers that add up."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import IntEnum
from typing import Any

from ragcrawler.run.losses import UNCHANGED
from ragcrawler.stores import CollectionModels
from ragcrawler.urls.ledger import LedgerCounts

PREFIX = "ragcrawler/"


class ExitCode(IntEnum):
    """How `scrapy crawl` ends, for programs that call it."""

    WHOLE = 0
    NOT_STARTED = 1
    NOTHING_FETCHED = 3
    PAGES_LOST = 4
    NUMBERS_DISAGREE = 5
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class ChunkCounts:
    """The way of the chunks: `made == points + lost`.

    Attributes:
        made: cut from documents.
        points: in the store, written or found unchanged.
        lost: not embedded or not written.
        unchanged: of the points, those whose vectors the store had already.
        removed: stale points of the same documents, taken away.
        tokens: of all chunks made.
    """

    made: int
    points: int
    lost: int
    unchanged: int
    removed: int
    tokens: int


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
    """

    spider: str
    started: str
    elapsed_seconds: float
    end: str
    refusal: str
    pages: LedgerCounts
    chunks: ChunkCounts
    collection: str
    collection_points: int | None
    models: CollectionModels | None
    converters: Mapping[str, int]
    stats: Mapping[str, Any]

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
        return found

    @property
    def exit_code(self) -> ExitCode:
        """How the command should end."""
        if self.refusal:
            return ExitCode.NOT_STARTED
        if self.disagreements:
            return ExitCode.NUMBERS_DISAGREE
        if self.end == "shutdown":
            return ExitCode.INTERRUPTED
        if not self.pages.fetched and not self.pages.skipped.get(UNCHANGED) and self.pages.seen:
            return ExitCode.NOTHING_FETCHED
        return ExitCode.PAGES_LOST if self.pages.failed else ExitCode.WHOLE

    def to_json(self) -> dict[str, Any]:
        """The report as JSON types."""
        return {
            **asdict(self),
            "disagreements": self.disagreements,
            "exit_code": int(self.exit_code),
        }


def chunk_counts(stats: Mapping[str, Any]) -> ChunkCounts:
    """Read the counts of the pipelines."""

    def count(name: str) -> int:
        return int(stats.get(PREFIX + name, 0))

    return ChunkCounts(
        made=count("chunk/chunks"),
        points=count("upsert/points"),
        lost=count("embed/lost") + count("upsert/lost"),
        unchanged=count("embed/unchanged"),
        removed=count("upsert/removed"),
        tokens=count("chunk/tokens"),
    )
