"""Searches for URLs: one query after the other, each at all engines at the same time."""

import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from ragcrawler.frontier.states.protocol import Notes, key64
from ragcrawler.items import FoundUrl
from ragcrawler.run.saved_crawls.saved_crawl import FOUND_BY_SEARCH
from ragcrawler.run.search.refusals import FoundUrlRefusals
from ragcrawler.search_engines.answer import SearchState
from ragcrawler.search_engines.collector import EngineOutcome, SearchCollector
from ragcrawler.search_engines.fusion import FusedResult, Fusion, fuse
from ragcrawler.search_engines.query import SearchQuery

logger = logging.getLogger(__name__)

_CALM = {SearchState.OK, SearchState.EMPTY}


@dataclass(slots=True)
class UrlDiscovery:
    """Asks, merges and filters; says in the log what each engine did.

    Attributes:
        collector: asks the engines.
        queries: in this order.
        pages: of results of each engine.
        per_domain: results of one domain for each query; 0 for any number.
        refusals: says what is not wanted.
        known: of some URLs those that the collection has.
        notes: remember what was found, so that a crawl that goes on asks no engine again.
        count: adds to a stat.
    """

    collector: SearchCollector
    queries: Sequence[SearchQuery]
    pages: int
    per_domain: int
    refusals: FoundUrlRefusals
    known: Callable[[Iterable[str]], Awaitable[set[str]]]
    notes: Notes
    count: Callable[[str, int], None]

    async def found(self, is_running: Callable[[], bool]) -> AsyncIterator[tuple[FoundUrl, ...]]:
        """What each query found, best first; a URL that an earlier query found is left out."""
        given: set[str] = set()
        for query in self.queries:
            if not is_running():
                return
            remembered = self.notes.get(FOUND_BY_SEARCH, _key(query))
            if remembered is not None:
                yield tuple(FoundUrl(**values) for values in json.loads(remembered))
                continue
            found = self._items(query, await self._search(query), given)
            given.update(each.url for each in found)
            self.notes.put(FOUND_BY_SEARCH, _key(query), json.dumps([asdict(each) for each in found]))
            yield found

    async def _search(self, query: SearchQuery) -> Fusion:
        outcomes = await self.collector.search(query, self.pages)
        for outcome in outcomes:
            self._tell(query, outcome)
        rankings = {outcome.engine: outcome.results for outcome in outcomes}
        known = await self.known([each.url for each in fuse(rankings).results])
        fusion = fuse(rankings, lambda url: self.refusals.reason(url, known), self.per_domain)
        for reason, number in fusion.left_out.items():
            self.count(f"search/left_out/{reason}", number)
        return fusion

    def _items(self, query: SearchQuery, fusion: Fusion, given: set[str]) -> tuple[FoundUrl, ...]:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        new = [result for result in fusion.results if result.url not in given]
        self.count("search/found", len(new))
        if len(new) < len(fusion.results):
            self.count("search/left_out/repeated", len(fusion.results) - len(new))
        return tuple(_item(query, result, rank, now) for rank, result in enumerate(new, start=1))

    def _tell(self, query: SearchQuery, outcome: EngineOutcome) -> None:
        self.count(f"search/states/{outcome.engine}/{outcome.state}", 1)
        self.count("search/requests", outcome.requests)
        self.count("search/results", len(outcome.results))
        number, is_calm = len(outcome.results), outcome.state in _CALM
        logger.log(
            logging.INFO if is_calm else logging.WARNING,
            "%s: %s, %d results for %r%s%s",
            *(outcome.engine, outcome.state, number, query.text),
            f": {outcome.message}" if outcome.message else "",
            "" if is_calm else "; no other engine is asked in its place",
        )
        for alarm in outcome.alarms:
            self.count("search/alarms", 1)
            logger.warning("%s: doubtful results for %r: %s", outcome.engine, query.text, alarm)
        for each in outcome.unresponsive:
            self.count(f"search/unresponsive/{outcome.engine}.{each.name}/{each.state}", 1)
            logger.warning(
                "%s did not hear from %s: %s (%s)", outcome.engine, each.name, each.state, each.message
            )


def _item(query: SearchQuery, result: FusedResult, rank: int, now: str) -> FoundUrl:
    return FoundUrl(
        url=result.url,
        rank=rank,
        title=result.title,
        snippet=result.snippet,
        engine=",".join(result.ranks),
        query=query.text,
        score=round(result.score, 6),
        ranks=",".join(map(str, result.ranks.values())),
        found_at=now,
    )


def _key(query: SearchQuery) -> int:
    return key64(json.dumps(asdict(query)))
