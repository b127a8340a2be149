"""From websites to answers: crawl, convert, chunk, embed, search."""

from typing import TYPE_CHECKING

from ragcrawler.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from ragcrawler.api.crawl import CrawlSummary, crawl
    from ragcrawler.api.errors import RagcrawlerError
    from ragcrawler.api.search import SearchHit, search
    from ragcrawler.bootstrap.retriever import open_retriever

__version__ = "0.1.0"
__all__ = ["CrawlSummary", "RagcrawlerError", "SearchHit", "crawl", "open_retriever", "search"]

# Every command, every worker and every test imports this package.
__getattr__ = lazy_exports(
    __name__,
    {
        "CrawlSummary": "api.crawl",
        "RagcrawlerError": "api.errors",
        "SearchHit": "api.search",
        "crawl": "api.crawl",
        "open_retriever": "bootstrap.retriever",
        "search": "api.search",
    },
)
