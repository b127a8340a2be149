"""From websites to answers: crawl, convert, chunk, embed, search."""

from typing import TYPE_CHECKING

from ragcrawler.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from ragcrawler.api.crawl import CrawlSummary, crawl
    from ragcrawler.api.errors import RagcrawlerError
    from ragcrawler.api.removal import KeptOutEntry, Removed, allow, kept_out, remove
    from ragcrawler.api.search import SearchHit, search
    from ragcrawler.bootstrap.retriever import open_retriever

__version__ = "0.1.0"
__all__ = [
    "CrawlSummary",
    "KeptOutEntry",
    "RagcrawlerError",
    "Removed",
    "SearchHit",
    "allow",
    "crawl",
    "kept_out",
    "open_retriever",
    "remove",
    "search",
]

# Every command, every worker and every test imports this package.
__getattr__ = lazy_exports(
    __name__,
    {
        "CrawlSummary": "api.crawl",
        "KeptOutEntry": "api.removal",
        "RagcrawlerError": "api.errors",
        "Removed": "api.removal",
        "SearchHit": "api.search",
        "allow": "api.removal",
        "crawl": "api.crawl",
        "kept_out": "api.removal",
        "open_retriever": "bootstrap.retriever",
        "remove": "api.removal",
        "search": "api.search",
    },
)
