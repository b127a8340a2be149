"""The saved state of a crawl, by which an interrupted crawl resumes with the same arguments."""

import hashlib
import json
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from ragcrawler.frontier import Frontier
from ragcrawler.frontier.states.sqlite import FrontierStateError, SqliteState
from ragcrawler.run.outcomes import SHUTDOWN
from ragcrawler.run.saved_crawls.state_lock import StateLock

logger = logging.getLogger(__name__)

_SUFFIX = ".sqlite"
ABOUT = "crawl"
RUN = "run"
FOUND_ELSEWHERE = "found_elsewhere"
"""The kind of note that says at which other addresses a text was found."""
FOUND_BY_SEARCH = "found_by_search"
"""The kind of note that holds what a search found, with titles and snippets."""
# They say how a crawl writes, not which pages it is about.
_NOT_OF_A_CRAWL = {"force_delete", "dry_run"}
_DEFAULTS = {("revisit", "all")}
_ENDS = {"finished", "max_pages"}
_NAME_CHARACTERS = 16
_NAME = re.compile(r"[\w.-]+-[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class CrawlIdentity:
    """The identity of a crawl: two runs with the same one are one crawl.

    Attributes:
        spider: its name.
        arguments: of the spider; those of scrapyd, and how to write, do not count.
        collection: where the chunks go.
    """

    spider: str
    arguments: Mapping[str, str]
    collection: str

    @property
    def name(self) -> str:
        """Of its files; "seeds-" and 16 hexadecimal digits."""
        counted = json.dumps([self.spider, self._counted, self.collection], sort_keys=True)
        digest = hashlib.sha256(counted.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{self.spider}-{digest[:_NAME_CHARACTERS]}"

    @property
    def _counted(self) -> Mapping[str, str]:
        return {
            name: value
            for name, value in self.arguments.items()
            if name not in _NOT_OF_A_CRAWL and not name.startswith("_") and (name, value) not in _DEFAULTS
        }

    def to_json(self) -> str:
        """For people who look at the saved crawls."""
        about = {"spider": self.spider, "arguments": self._counted, "collection": self.collection}
        return json.dumps({**about, "began": datetime.now(UTC).isoformat(timespec="seconds")})


def check_name(name: str) -> None:
    """Refuse what is no name of a crawl.

    Raises:
        FrontierStateError: it is none.
    """
    if not _NAME.fullmatch(name):
        raise FrontierStateError(f"{name!r} is no name of a crawl: `scrapy crawls` lists them")


def state_path(output: Path, name: str) -> Path:
    """The file of a crawl.

    Raises:
        FrontierStateError: it is no name of one.
    """
    check_name(name)
    return output / "state" / f"{name}{_SUFFIX}"


def ends_crawl(reason: str) -> bool:
    """Whether a run that ended for this reason leaves nothing to go on with."""
    return reason != SHUTDOWN and (reason in _ENDS or reason.startswith("closespider_"))


class SavedCrawl:
    """One crawl's file, which one process has at a time.

    Args:
        path: of the file.

    Attributes:
        state: what it holds.
        runs: ids of the runs before this one.

    Raises:
        FrontierStateError: another process has it, or it cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = StateLock(path)
        try:
            self.state = SqliteState(path)
        except BaseException:
            self._lock.close()
            raise
        self.runs = tuple(self.state.notes.texts(RUN))

    @classmethod
    def open(cls, output: Path, identity: CrawlIdentity, *, resumes: bool) -> Self:
        """The state of this crawl: that of its last run, or an empty one.

        Args:
            output: OUTPUT_DIR.
            identity: of the crawl.
            resumes: whether an earlier run is gone on with; else what it left is deleted.

        Raises:
            FrontierStateError: another process has it, or it cannot be used.
        """
        path = state_path(output, identity.name)
        if not resumes and path.exists():
            with StateLock(path):
                _delete(path)
        saved = cls(path)
        if saved.about is None:
            with saved.state.transaction():
                saved.state.notes.put(ABOUT, 0, identity.to_json())
        return saved

    @property
    def about(self) -> Mapping[str, Any] | None:
        """Spider, arguments, collection, and when it began."""
        text = self.state.notes.get(ABOUT, 0)
        return None if text is None else json.loads(text)

    @property
    def shared(self) -> None:
        """The same crawl where other processes work on it too: this one has none."""
        return None

    @property
    def is_resumed(self) -> bool:
        """Whether an earlier run left something."""
        return bool(self.runs)

    def begin_run(self, run_id: str, frontier: Frontier, delay_seconds: float) -> None:
        """Enter a run; where it is not the first, take up what the last one left.

        Args:
            run_id: of this run.
            frontier: that has the state.
            delay_seconds: the least time between two requests to a host.
        """
        if self.is_resumed:
            with self.state.transaction():
                self.state.reclaim()
                frontier.throttle.resume(self.state.hosts.rows(), delay_seconds)
            frontier.queue.resume()
            counts = self.state.urls.counts()
            logger.info(
                "The crawl goes on from run %s: %d done, %d to go (-s RESUME=0 begins anew)",
                *(self.runs[-1], counts.seen - counts.open, counts.open),
            )
        with self.state.transaction():
            self.state.notes.put(RUN, len(self.runs), run_id)

    def is_over(self, reason: str, *, is_done: bool) -> bool:
        """Whether nothing is left to go on with.

        Args:
            reason: for which the run ended.
            is_done: whether a page came to its end.
        """
        if reason == "start_failed":
            return not self.is_resumed and not is_done
        return ends_crawl(reason)

    def end(self, *, is_over: bool) -> None:
        """Close the state, and delete it where nothing is left to go on with."""
        try:
            self.state.close()
            if is_over:
                _delete(self._path)
        finally:
            self._lock.close()


def saved_crawls(output: Path) -> list[Path]:
    """The files of all saved crawls, oldest first."""
    files = (output / "state").glob(f"*{_SUFFIX}")
    return sorted(files, key=lambda path: (path.stat().st_mtime, path.name))


def delete_crawl(path: Path) -> None:
    """Delete a saved crawl: the next run with its arguments begins anew.

    Raises:
        FrontierStateError: a process works on it.
    """
    with StateLock(path):
        _delete(path)


def _delete(path: Path) -> None:
    for file in (path, *(path.with_name(f"{path.name}-{part}") for part in ("wal", "shm"))):
        file.unlink(missing_ok=True)
    path.with_suffix(".lock").unlink(missing_ok=True)
