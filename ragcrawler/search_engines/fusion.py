"""One ranking from those of several engines."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import tldextract

from ragcrawler.search_engines.answer import EngineResult
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.host import host_of
from ragcrawler.urls.identity import cited_url, url_key

RRF_K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke, Buettcher 2009)."""

Refusal = Callable[[str], str]
"""Why a canonical URL is not wanted; "" where it is."""


@dataclass(frozen=True, slots=True)
class FusedResult:
    """A URL that some engines found.

    Attributes:
        url: canonical, without tracking parameters.
        score: the sum over the engines of 1 / (60 + rank).
        ranks: by engine, the best first being 1.
        title: as the engine gives it that ranks the URL highest.
        snippet: likewise.
    """

    url: str
    score: float
    ranks: Mapping[str, int]
    title: str
    snippet: str


@dataclass(slots=True)
class Fusion:
    """What came of several rankings.

    Attributes:
        results: best first.
        left_out: how many URLs, by reason.
    """

    results: list[FusedResult] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)

    def leave_out(self, reason: str) -> None:
        """Count a URL that is not wanted."""
        self.left_out[reason] = self.left_out.get(reason, 0) + 1


def fuse(
    rankings: Mapping[str, Sequence[EngineResult]], refusal: Refusal = lambda _: "", per_domain: int = 0
) -> Fusion:
    """Merge the spellings of each URL, rank by the sum of reciprocal ranks, and bound each domain.

    Equal scores keep the order of the engines, then of their results.

    Args:
        rankings: by engine, best first.
        refusal: says which URLs are not wanted; they keep their rank, so that no other moves up.
        per_domain: results of one registered domain at the most; 0 for any number.
    """
    fusion = Fusion()
    found: dict[str, list[tuple[int, str, str, EngineResult]]] = {}
    for engine, results in rankings.items():
        for rank, result in enumerate(results, start=1):
            try:
                url = cited_url(canonical_url(result.url))
            except UrlError as error:
                fusion.leave_out(error.reason)
                continue
            places = found.setdefault(url_key(url), [])
            if all(name != engine for _, name, _, _ in places):
                places.append((rank, engine, url, result))
    ranked = sorted(map(_fused, found.values()), key=lambda result: -result.score)
    domains: dict[str, int] = {}
    for each in ranked:
        domain = domain_of(each.url)
        reason = refusal(each.url) or ("per_domain" if 0 < per_domain <= domains.get(domain, 0) else "")
        if reason:
            fusion.leave_out(reason)
            continue
        domains[domain] = domains.get(domain, 0) + 1
        fusion.results.append(each)
    return fusion


def domain_of(url: str) -> str:
    """The registered domain of a canonical URL's host; the host itself where it has none."""
    host = host_of(url)
    found = _suffixes()(host)
    return f"{found.domain}.{found.suffix}" if found.domain and found.suffix else host


def _fused(places: list[tuple[int, str, str, EngineResult]]) -> FusedResult:
    _, _, url, best = min(places, key=lambda place: place[0])
    score = sum(1 / (RRF_K + rank) for rank, _, _, _ in places)
    ranks = {engine: rank for rank, engine, _, _ in places}
    return FusedResult(url, score, ranks, best.title, best.snippet)


@cache
def _suffixes() -> tldextract.TLDExtract:
    # The list that the library carries: neither the network nor a cache on the disk.
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
