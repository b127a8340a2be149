"""The parts that a research works with."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from ragcrawler.research.reading.reader import PageReader
from ragcrawler.research.storage.research import StoredResearch

Result = TypeVar("Result")
Vector = Sequence[float]
Embed = Callable[[Sequence[str]], Awaitable[Sequence[Vector]]]
Count = Callable[[str, int], None]


class DatabaseThread(Protocol):
    """The one thread on which the database is used."""

    async def do(self, call: Callable[[], Result]) -> Result:
        """The result of a call that was made there."""


class Search(Protocol):
    """A search engine for questions."""

    async def __call__(self, question: str, /) -> Sequence[str]:
        """The URLs that answer it, best first; none where no engine answered."""


async def no_search(_question: str, /) -> Sequence[str]:
    """For a research without a search engine."""
    return ()


@dataclass(frozen=True, slots=True)
class ResearchParts:
    """The parts that a research works with.

    Attributes:
        stored: remembers everything.
        thread: on which it is used.
        reader: reads pages.
        embed: makes dense vectors of texts.
        search: finds URLs for questions.
        count: adds to a stat, by its name without the prefix.
    """

    stored: StoredResearch
    thread: DatabaseThread
    reader: PageReader
    embed: Embed
    search: Search
    count: Count
