"""SearXNG, a metasearch engine of one's own: https://docs.searxng.org/dev/search_api.html."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from ragcrawler.search_engines.answer import EngineAnswer, EngineResult, SearchState, UnresponsiveEngine
from ragcrawler.search_engines.engine import EngineReply, EngineRequest
from ragcrawler.search_engines.query import SearchQuery
from ragcrawler.search_engines.services.json_reply import (
    OK,
    SNIPPET_CHARACTERS,
    items_of,
    json_object,
    refused,
    text_of,
    unreadable,
)

_FORBIDDEN = 403
_JSON_OFF = (
    "it refuses JSON, which is off by default: put `search: {formats: [html, json]}` into its settings.yml "
    "and restart it"
)
_NAME = re.compile(r"[^\w .-]+")
_MOST_ENGINES = 100
# Its messages, in its interface's language; what is in another one is `failed`.
_STATES = (
    (re.compile(r"suspended", re.IGNORECASE), SearchState.SUSPENDED),
    (re.compile(r"captcha", re.IGNORECASE), SearchState.CAPTCHA),
    (re.compile(r"time-?out", re.IGNORECASE), SearchState.TIMEOUT),
    (re.compile(r"access denied|too many requests|blocked", re.IGNORECASE), SearchState.BLOCKED),
    (re.compile(r"parsing error", re.IGNORECASE), SearchState.LAYOUT_CHANGED),
)


@dataclass(frozen=True, slots=True)
class SearXng:
    """One instance.

    Attributes:
        url: of its start page, without a slash at the end.
        engines: that it shall ask, by its names; empty for those that it asks by itself.
    """

    url: str
    engines: tuple[str, ...] = ()
    name: str = "searxng"
    max_pages: int = 50

    def request(self, query: SearchQuery, page: int) -> EngineRequest:
        """Ask for JSON."""
        values = {
            "q": query.terms,
            "format": "json",
            "pageno": str(page),
            "language": query.language or "all",
            "time_range": query.since,
            "engines": ",".join(self.engines),
        }
        return EngineRequest(self.name, f"{self.url}/search?{urlencode(_given(values))}")

    def read(self, reply: EngineReply) -> EngineAnswer:
        """Its results, or why there are none; engines behind it that did not answer are named."""
        if reply.status == _FORBIDDEN:
            return EngineAnswer(SearchState.BLOCKED, message=_JSON_OFF, suspends=False)
        if reply.status != OK:
            return refused(reply, "")
        found = json_object(reply)
        if found is None or not isinstance(found.get("results"), list):
            return unreadable("SearXNG")
        results = tuple(_results(found))
        unresponsive = tuple(_unresponsive(found))
        if results:
            return EngineAnswer(SearchState.OK, results, unresponsive=unresponsive)
        if unresponsive:
            # What they would have found is not known: this is no empty result. It is not SearXNG's own rest.
            names = ", ".join(f"{each.name} ({each.message})" for each in unresponsive)
            message = f"no results, and these engines did not answer it: {names}"
            state = unresponsive[0].state
            return EngineAnswer(state, message=message, unresponsive=unresponsive, suspends=False)
        return EngineAnswer(SearchState.EMPTY, is_last=True)


def _given(values: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}


def _results(found: dict[str, Any]) -> Iterator[EngineResult]:
    for each in items_of(found, "results"):
        if isinstance(each.get("url"), str):
            yield EngineResult(
                each["url"],
                text_of(each.get("title")),
                text_of(each.get("content"), SNIPPET_CHARACTERS),
                _score(each.get("score")),
            )


def _score(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None  # type: ignore[arg-type]


def _unresponsive(found: dict[str, Any]) -> Iterator[UnresponsiveEngine]:
    """Pairs of a name and a message."""
    pairs = found.get("unresponsive_engines")
    for pair in pairs[:_MOST_ENGINES] if isinstance(pairs, list) else ():
        if isinstance(pair, list) and len(pair) > 1 and all(isinstance(part, str) for part in pair[:2]):
            message = text_of(pair[1])
            state = next((state for words, state in _STATES if words.search(message)), SearchState.FAILED)
            yield UnresponsiveEngine(_NAME.sub("", pair[0])[:40], state, message)
