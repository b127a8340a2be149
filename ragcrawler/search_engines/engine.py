"""The seam between an engine, which is asked and read here, and what fetches for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from ragcrawler.search_engines.answer import EngineAnswer, SearchState
from ragcrawler.search_engines.query import SearchQuery
from ragcrawler.services import retry_after_seconds


@dataclass(frozen=True, slots=True)
class EngineRequest:
    """One GET request.

    Attributes:
        engine: its name.
        url: holds no secret.
        headers: may hold a key; never shown.
    """

    engine: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class EngineReply:
    """What came back.

    Attributes:
        url: that answered, after redirects.
        status: of HTTP.
        headers: names in lower case.
        body: decoded; of a browser the document as rendered.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: str

    @property
    def asked_pause(self) -> float | None:
        """Seconds by the header `Retry-After`; None where there is none."""
        return retry_after_seconds(self.headers.get("retry-after"), datetime.now(UTC))


class FetchError(Exception):
    """Nothing came back that could be read.

    Attributes:
        state: time-out or failed.
    """

    def __init__(self, state: SearchState, message: str) -> None:
        super().__init__(message)
        self.state = state


class SearchEngine(Protocol):
    """One engine that can be asked."""

    @property
    def name(self) -> str:
        """As it stands in `engines=`, in the feed and in the report."""

    @property
    def max_pages(self) -> int:
        """Pages of results that it gives at the most."""

    def request(self, query: SearchQuery, page: int) -> EngineRequest:
        """What to ask for a page, the first being 1."""

    def read(self, reply: EngineReply) -> EngineAnswer:
        """What a reply says; never raises, whatever it holds."""


class Fetcher(Protocol):
    """Brings the replies: a client of HTTP, or a browser."""

    async def fetch(self, request: EngineRequest) -> EngineReply:
        """Ask.

        Raises:
            FetchError: nothing came back that could be read.
        """


class RobotsCheck(Protocol):
    """Knows what the robots.txt of an engine allows."""

    async def refusal(self, url: str) -> str:
        """Why a page of results may not be asked for; "" where it may be."""
