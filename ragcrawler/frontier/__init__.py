"""Every decision about a URL of a crawl: scope, filters, ledger, canonicals, discovery, throttle."""

from ragcrawler.frontier.frontier import Frontier
from ragcrawler.frontier.options import DiscoveryLimits, FrontierOptions
from ragcrawler.frontier.states.protocol import FrontierState, LeaseLostError, UrlCounts, UrlRecord
from ragcrawler.frontier.target import (
    Decision,
    FetchFailure,
    Instead,
    Keep,
    ListingPlace,
    Lost,
    ParsedResponse,
    Skip,
    Target,
)

__all__ = [
    "Decision",
    "DiscoveryLimits",
    "FetchFailure",
    "Frontier",
    "FrontierOptions",
    "FrontierState",
    "Instead",
    "Keep",
    "LeaseLostError",
    "ListingPlace",
    "Lost",
    "ParsedResponse",
    "Skip",
    "Target",
    "UrlCounts",
    "UrlRecord",
]
