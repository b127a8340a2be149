"""Brave Search's official interface: https://api-dashboard.search.brave.com/app/documentation/web-search."""

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

_COUNT = 20
_FRESHNESS = {"day": "pd", "week": "pw", "month": "pm", "year": "py"}


@dataclass(frozen=True, slots=True)
class BraveApi:
    """The web search of a subscription.

    Attributes:
        url: of the interface.
        key: of the subscription.
    """

    url: str
    key: str = field(repr=False)
    name: str = "brave_api"
    max_pages: int = 10

    def request(self, query: SearchQuery, page: int) -> EngineRequest:
        """Ask for a page of 20."""
        values = {"q": query.terms, "count": str(_COUNT), "offset": str(page - 1)}
        if query.language:
            values["search_lang"] = query.short_language
        if query.since:
            values["freshness"] = _FRESHNESS[query.since]
        headers = {"X-Subscription-Token": self.key, "Accept": "application/json"}
        return EngineRequest(self.name, f"{self.url}/res/v1/web/search?{urlencode(values)}", headers)

    def read(self, reply: EngineReply) -> EngineAnswer:
        """Its web results."""
        found = json_object(reply)
        if reply.status != OK:
            error = (found or {}).get("error")
            detail = error.get("detail") if isinstance(error, dict) else ""
            return refused(reply, text_of(detail), secret=self.key)
        if found is None or "query" not in found:
            return unreadable("Brave Search")
        results = tuple(
            EngineResult(
                each["url"],
                text_of(each.get("title")),
                text_of(each.get("description"), SNIPPET_CHARACTERS),
            )
            for each in items_of(found, "web", "results")
            if isinstance(each.get("url"), str)
        )
        query = found["query"]
        has_more = isinstance(query, dict) and query.get("more_results_available") is not False
        return EngineAnswer(SearchState.OK if results else SearchState.EMPTY, results, is_last=not has_more)
