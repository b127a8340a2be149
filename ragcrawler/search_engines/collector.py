"""Asks engines, each at its own pace, and says in which state each query ended."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from ragcrawler.search_engines.answer import EngineAnswer, EngineResult, SearchState, UnresponsiveEngine
from ragcrawler.search_engines.engine import EngineRequest, Fetcher, FetchError, RobotsCheck, SearchEngine
from ragcrawler.search_engines.pace import EnginePace
from ragcrawler.search_engines.query import SearchQuery
from ragcrawler.search_engines.suspensions import SuspensionStore


@dataclass(slots=True)
class EngineAccess:
    """An engine, and how it is reached.

    Attributes:
        engine: to ask.
        fetcher: brings its replies.
        pace: of its requests.
        robots: None where no robots.txt applies: one's own service, and interfaces made for programs.
    """

    engine: SearchEngine
    fetcher: Fetcher
    pace: EnginePace
    robots: RobotsCheck | None = None


@dataclass(frozen=True, slots=True)
class EngineOutcome:
    """How a query ended at one engine.

    Attributes:
        engine: its name.
        state: of the last page that was asked for; results of pages before it stand beside any state.
        results: of all pages, in their order.
        message: why, and what to do about it.
        requests: that were sent.
        alarms: what makes results doubtful.
        unresponsive: of the engines behind this one, those that did not answer, each once.
    """

    engine: str
    state: SearchState
    results: tuple[EngineResult, ...] = ()
    message: str = ""
    requests: int = 0
    alarms: tuple[str, ...] = ()
    unresponsive: tuple[UnresponsiveEngine, ...] = ()

    def with_answer(self, answer: EngineAnswer) -> "EngineOutcome":
        """With a further page. One that is empty behind others is their end, and the query stays answered."""
        is_without = answer.state is SearchState.EMPTY or bool(answer.unresponsive)
        is_end = bool(self.results) and not answer.results and is_without
        known = {each.name for each in self.unresponsive}
        further = tuple(each for each in answer.unresponsive if each.name not in known)
        return replace(
            self,
            state=SearchState.OK if is_end else answer.state,
            results=self.results + answer.results,
            message="" if is_end else answer.message,
            requests=self.requests + 1,
            alarms=self.alarms + ((answer.alarm,) if answer.alarm else ()),
            unresponsive=self.unresponsive + further,
        )


@dataclass(slots=True)
class SearchCollector:
    """Several engines, asked at the same time; each of them one request after the other.

    Attributes:
        accesses: the engines, in the order that breaks ties.
        suspensions: who is left alone, kept over restarts.
        clock: seconds since 1970.
    """

    accesses: Sequence[EngineAccess]
    suspensions: SuspensionStore
    clock: Callable[[], float] = time.time
    _turns: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def search(self, query: SearchQuery, pages: int) -> list[EngineOutcome]:
        """Ask all engines for so many pages of results; one outcome for each, whatever happens."""
        return list(await asyncio.gather(*(self._ask(access, query, pages) for access in self.accesses)))

    async def _ask(self, access: EngineAccess, query: SearchQuery, pages: int) -> EngineOutcome:
        name = access.engine.name
        outcome = EngineOutcome(name, SearchState.EMPTY)
        async with self._turns.setdefault(name, asyncio.Lock()):
            for page in range(1, min(pages, access.engine.max_pages) + 1):
                request = access.engine.request(query, page)
                if refused := await self._refusal(access, request):
                    return replace(outcome, state=refused.state, message=refused.message)
                answer = await self._answer(access, request)
                known = {result.url for result in outcome.results}
                outcome = outcome.with_answer(answer)
                is_old = all(result.url in known for result in answer.results)
                if answer.is_last or answer.state is not SearchState.OK or is_old:
                    break
        return outcome

    async def _refusal(self, access: EngineAccess, request: EngineRequest) -> EngineAnswer | None:
        """Why a request is not sent; None where it may be."""
        rest = self.suspensions.get(_key(request), self.clock())
        if rest is not None:
            minutes = (rest.until - self.clock()) / 60
            message = f"left alone for another {minutes:.1f} min, because of: {rest.state}"
            return EngineAnswer(SearchState.SUSPENDED, message=message)
        refusal = await access.robots.refusal(request.url) if access.robots is not None else ""
        return EngineAnswer(SearchState.ROBOTS, message=refusal) if refusal else None

    async def _answer(self, access: EngineAccess, request: EngineRequest) -> EngineAnswer:
        await access.pace.turn()
        try:
            answer = access.engine.read(await access.fetcher.fetch(request))
        except FetchError as error:
            answer = EngineAnswer(error.state, message=str(error))
        if answer.state.is_answer:
            self.suspensions.clear(_key(request))
        elif answer.suspends:
            self.suspensions.suspend(
                _key(request), answer.state, self.clock(), answer.message, answer.pause_seconds
            )
        return answer


def _key(request: EngineRequest) -> str:
    """An engine under one address: that of another SearXNG is not to blame for this one."""
    return f"{request.engine} {urlsplit(request.url).netloc}"
