"""A URL that search engines found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FoundUrl:
    """One line of the list that `scrapy crawl discover` makes.

    Attributes:
        url: canonical.
        rank: among those found for the query, 1 being the best.
        title: plain text, of the engine that ranks it highest.
        snippet: likewise.
        engine: those that found it, with commas.
        query: that it was found for.
        score: the sum over the engines of 1 / (60 + rank).
        ranks: at each of the engines, in their order, with commas.
        found_at: ISO 8601, UTC.
    """

    url: str
    rank: int
    title: str
    snippet: str
    engine: str
    query: str
    score: float
    ranks: str
    found_at: str
