"""URLs from search engines: what each is asked, how its answer is read, and in which state it ends."""

from ragcrawler.search_engines.answer import Answer, EngineResult, SearchState, UnresponsiveEngine
from ragcrawler.search_engines.collector import EngineOutcome, SearchCollector
from ragcrawler.search_engines.engine import EngineReply, EngineRequest, FetchError, SearchEngine
from ragcrawler.search_engines.query import SearchQuery

__all__ = [
    "Answer",
    "EngineOutcome",
    "EngineReply",
    "EngineRequest",
    "EngineResult",
    "FetchError",
    "SearchCollector",
    "SearchEngine",
    "SearchQuery",
    "SearchState",
    "UnresponsiveEngine",
]
