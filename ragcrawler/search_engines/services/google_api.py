"""Google's Programmable Search: https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list."""

from dataclasses import dataclass, field
from urllib.parse import urlencode

from ragcrawler.search_engines.answer import EngineAnswer, EngineResult, SearchState
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

_COUNT = 10
_RESTRICT = {"day": "d1", "week": "w1", "month": "m1", "year": "y1"}


@dataclass(frozen=True, slots=True)
class GoogleApi:
    """One programmable search engine.

    Attributes:
        url: of the interface.
        key: of the project.
        engine_id: `cx`, of the search engine.
    """

    url: str
    key: str = field(repr=False)
    engine_id: str = ""
    name: str = "google_api"
    max_pages: int = 10  # it gives the first 100 results

    def request(self, query: SearchQuery, page: int) -> EngineRequest:
        """Ask for a page of 10; the key goes into a header, so that no log of addresses has it."""
        values = {
            "q": query.terms,
            "cx": self.engine_id,
            "num": str(_COUNT),
            "start": str((page - 1) * _COUNT + 1),
        }
        if query.language:
            values["lr"] = f"lang_{query.short_language}"
        if query.since:
            values["dateRestrict"] = _RESTRICT[query.since]
        url = f"{self.url}/customsearch/v1?{urlencode(values)}"
        return EngineRequest(self.name, url, {"X-Goog-Api-Key": self.key})

    def read(self, reply: EngineReply) -> EngineAnswer:
        """Its results."""
        found = json_object(reply)
        if reply.status != OK:
            error = (found or {}).get("error")
            message = error.get("message") if isinstance(error, dict) else ""
            return refused(reply, text_of(message), secret=self.key)
        if found is None or not str(found.get("kind", "")).startswith("customsearch"):
            return unreadable("Google")
        results = tuple(
            EngineResult(
                each["link"], text_of(each.get("title")), text_of(each.get("snippet"), SNIPPET_CHARACTERS)
            )
            for each in items_of(found, "items")
            if isinstance(each.get("link"), str)
        )
        has_more = bool(items_of(found, "queries", "nextPage"))
        return EngineAnswer(SearchState.OK if results else SearchState.EMPTY, results, is_last=not has_more)
