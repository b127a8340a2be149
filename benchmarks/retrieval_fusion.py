"""Whether the words' rankings should count by how sure they are: chosen on all sites but one, judged on it.

    python benchmarks/retrieval_fusion.py [--set FOLDER ...] [--site NAME OUTPUT_DIR QUERIES ...]
        [--signal NAME ...] [--setting NAME=VALUE ...]

Sets and sites are those of `retrieval_quality.py`. The signals, each divided by its mean over all queries:

words        the share, by rarity among the proposed chunks, of the question's words in BM25's best hit
lead         by how much of its score BM25's best hit is ahead of its tenth
dense_lead   the same for the dense ranking
agreement    the share of documents that the ten best hits of the dense ranking and of BM25 have in common

The weights of bm25, sparse and document are multiplied by scale * signal ** power; a grid of both is tried,
and each site (or set) gets the pair that is best on all others: by the mean nDCG@10 of their kinds of query,
less half of what the worst kind is more than .01 under its best single ranking. A kind counts from ten
queries on. A last table chooses among the signals too.
"""

import argparse
import json
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from retrieval_quality import page, site_scores

from ragcrawler.bootstrap import open_retriever
from ragcrawler.items import SemanticChunk, SparseVector
from ragcrawler.maintenance.judged_corpus import open_judged_corpus
from ragcrawler.retrieval import CollectionRetriever
from ragcrawler.retrieval.evaluation.beir import read_beir
from ragcrawler.retrieval.evaluation.collection_search import found_documents
from ragcrawler.retrieval.evaluation.metrics import ndcg
from ragcrawler.retrieval.evaluation.weighed_candidates import WeighedCandidates
from ragcrawler.retrieval.search.query_plan import QueryPlan
from ragcrawler.retrieval.search.search_options import HybridPart
from ragcrawler.stores import Hit
from ragcrawler.stores.ranking.word_weights import document_weights, query_weights
from ragcrawler.stores.search_request import Leg, SearchRequest

LEGS: tuple[Leg, ...] = ("dense", "bm25", "sparse")
BY_WORDS: tuple[HybridPart, ...] = ("bm25", "sparse", "document")
PARTS: tuple[HybridPart, ...] = (*LEGS, "document", "listing", "page")
POWERS, SCALES = (-1.0, -0.5, 0.5, 1.0, 2.0), (0.7, 1.0, 1.4, 2.0)
LEAST, MOST = 0.25, 4.0  # of a signal divided by its mean
HITS, PROPOSED, LEAST_QUERIES, MARGIN, ROUNDS = 30, 120, 10, 0.01, 2_000


class Way(NamedTuple):
    """A signal, and what its power is multiplied by; without a signal the scale alone."""

    signal: str = ""
    power: float = 0.0
    scale: float = 1.0


USUAL = Way()  # changes nothing
Kind = tuple[str, str]


class Scored(NamedTuple):
    ndcg: float
    passage: float | None
    evidence: float | None


@dataclass(frozen=True)
class Asked:
    """A query with all that its rankings proposed.

    Attributes:
        query: as it was read.
        weights: of hybrid searches.
        request: with a weight of 1 for all that may count.
        hits: of each ranking, the best first.
        words: the BM25 weights of their chunks, by chunk id.
    """

    query: Mapping[str, Any]
    weights: Mapping[HybridPart, float]
    request: SearchRequest
    hits: Mapping[Leg, Sequence[Hit]]
    words: Mapping[str, SparseVector]

    @cached_property
    def candidates(self) -> WeighedCandidates:
        """The same hits, to be ranked by any weights."""
        return WeighedCandidates(self.request, self.hits, self.words)

    @cached_property
    def signals(self) -> Mapping[str, float]:
        return {name: signal(self) for name, signal in SIGNALS.items()}

    def ranked(self, way: Way | Leg, means: Mapping[str, float]) -> list[Hit]:
        if isinstance(way, str):
            return list(self.hits[way][:HITS])
        sure = way.scale
        if way.signal:
            value = self.signals[way.signal] / means[way.signal]
            sure *= min(max(value, LEAST), MOST) ** way.power
        weights = {
            name: weight * (sure if name in BY_WORDS else 1.0) for name, weight in self.weights.items()
        }
        chunks = {hit.chunk.id: hit.chunk for found in self.hits.values() for hit in found}
        return [Hit(chunks[each], 0.0) for each in self.candidates.ranked(weights)[:HITS]]

    def score(self, way: Way | Leg, means: Mapping[str, float], *, whole: bool) -> Scored:
        hits = self.ranked(way, means)
        if "grades" in self.query:
            found = found_documents([hit.chunk for hit in hits], self.query["grades"])
            return Scored(ndcg(found, self.query["grades"], 10), None, None)
        if whole:
            scores = site_scores(self.query, hits)
            return Scored(scores["nDCG@10"], scores.get("passage@5"), scores.get("evidence"))
        pages = dict.fromkeys(page(hit) for hit in hits if page(hit) not in self.query["exclude"])
        return Scored(ndcg(list(pages), {gold["url"]: 1 for gold in self.query["gold"]}, 10), None, None)


def share_of_words(asked: Asked) -> float:
    words = query_weights(asked.query["query"])
    having = {index: sum(index in each.indices for each in asked.words.values()) for index in words.indices}
    total = len(asked.words)
    worth = {
        index: times * math.log1p((total - having[index] + 0.5) / (having[index] + 0.5))
        for index, times in zip(words.indices, words.values, strict=True)
    }
    best = asked.hits["bm25"][:1]
    held = set(asked.words[best[0].chunk.id].indices) if best else set()
    return sum(worth[index] for index in worth if index in held) / (sum(worth.values()) or 1.0)


def lead(hits: Sequence[Hit]) -> float:
    if not hits or hits[0].score <= 0:
        return 0.0
    return 1 - hits[:10][-1].score / hits[0].score


def agreement(asked: Asked) -> float:
    dense, words = ({hit.chunk.document_id for hit in asked.hits[leg][:10]} for leg in ("dense", "bm25"))
    return len(dense & words) / max(len(dense | words), 1)


SIGNALS: Mapping[str, Callable[[Asked], float]] = {
    "words": share_of_words,
    "lead": lambda asked: lead(asked.hits["bm25"]),
    "dense_lead": lambda asked: lead(asked.hits["dense"]),
    "agreement": agreement,
}


def ask(retriever: CollectionRetriever, query: Mapping[str, Any]) -> Asked:
    options = replace(retriever.options, weights=dict.fromkeys(PARTS, 1.0), question_weights=None)
    request = retriever.request(QueryPlan.of(query["query"]), HITS, "hybrid", None, options)
    hits: dict[Leg, Sequence[Hit]] = dict.fromkeys(LEGS, ())
    for each in request.rankings:
        if not each.is_empty:
            hits[each.leg] = retriever.store.search(SearchRequest((each,), PROPOSED))
    chunks: dict[str, SemanticChunk] = {hit.chunk.id: hit.chunk for found in hits.values() for hit in found}
    words = {name: document_weights(chunk.embed_text) for name, chunk in chunks.items()}
    weights = {name: retriever.options.weights.get(name, 0.0) for name in PARTS}
    return Asked(query, weights, request, hits, words)


def ask_all(options: argparse.Namespace, settings: Mapping[str, str]) -> Iterator[tuple[Kind, Asked]]:
    for folder in options.set:
        corpus = read_beir(folder)
        queries = [{"query": each.text, "kind": "set", "grades": each.grades} for each in corpus.queries]
        yield from _of(folder.name, open_judged_corpus(corpus, **settings), queries)
    for name, output, file in options.site:
        queries = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]
        yield from _of(name, open_retriever(**settings, OUTPUT_DIR=output), queries)


def _of(
    name: str, opened: AbstractContextManager[CollectionRetriever], queries: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[Kind, Asked]]:
    with opened as retriever:
        for query in queries:
            yield (name, query["kind"]), ask(retriever, query)


def chance(differences: Sequence[float]) -> float:
    """How often random signs give as much (paired randomisation test)."""
    seen, rng = abs(sum(differences)), random.Random(7)
    drawn = (abs(sum(each * rng.choice((-1, 1)) for each in differences)) for _ in range(ROUNDS))
    return sum(each >= seen - 1e-12 for each in drawn) / ROUNDS


def report(title: str, ways: Sequence[Way], asked: Mapping[Kind, Sequence[Asked]]) -> None:
    every = [each for group in asked.values() for each in group]
    signal_means = {name: fmean(each.signals[name] for each in every) or 1.0 for name in SIGNALS}
    means = {
        kind: {
            way: fmean(each.score(way, signal_means, whole=False).ndcg for each in group)
            for way in (*ways, *LEGS)
        }
        for kind, group in asked.items()
    }

    def worth(way: Way, kinds: Sequence[Kind]) -> float:
        worst = min(means[kind][way] - max(means[kind][leg] for leg in LEGS) for kind in kinds)
        return fmean(means[kind][way] for kind in kinds) + 0.5 * min(0.0, worst + MARGIN)

    print(f"\n## {title}\n")
    print("| site, kind | queries | chosen | nDCG@10 | over the best ranking | p | passage@5 | evidence |")
    print("|---|---|---|---|---|---|---|---|")
    pooled: list[float] = []
    for kind, group in sorted(asked.items()):
        others = [each for each in asked if each[0] != kind[0]]
        chosen = max(ways, key=lambda way: worth(way, others))
        before = [each.score(USUAL, signal_means, whole=True) for each in group]
        after = [each.score(chosen, signal_means, whole=True) for each in group]
        differences = [new.ndcg - old.ndcg for old, new in zip(before, after, strict=True)]
        pooled += differences
        best = max(means[kind][leg] for leg in LEGS)
        gaps = " to ".join(f"{means[kind][way] - best:+.3f}" for way in (USUAL, chosen))
        cells = [_change(before, after, name) for name in ("ndcg", "passage", "evidence")]
        print(
            f"| {kind[0]}, {kind[1]} | {len(group)} | {_words(chosen)} | {cells[0]} | {gaps} |"
            f" {chance(differences):.2f} | {cells[1]} | {cells[2]} |"
        )
    print(f"\nall queries: {fmean(pooled):+.4f}, p {chance(pooled):.3f}")
    print(f"best on all: {_words(max(ways, key=lambda way: worth(way, list(asked))))}")


def _words(way: Way) -> str:
    return f"{way.scale:g} {way.signal}^{way.power:g}" if way.signal else f"{way.scale:g}"


def _change(before: Sequence[Scored], after: Sequence[Scored], name: str) -> str:
    values = [
        [getattr(each, name) for each in side if getattr(each, name) is not None] for side in (before, after)
    ]
    return " to ".join(f"{fmean(each):.3f}" for each in values) if values[0] else ""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--set", type=Path, action="append", default=[], metavar="FOLDER")
    parser.add_argument(
        "--site", nargs=3, action="append", default=[], metavar=("NAME", "OUTPUT_DIR", "QUERIES")
    )
    parser.add_argument("--signal", choices=SIGNALS, action="append", help="all where none is named")
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    settings = dict(each.split("=", 1) for each in options.setting)
    groups: dict[Kind, list[Asked]] = defaultdict(list)
    for kind, each in ask_all(options, settings):
        groups[kind].append(each)
    asked = {kind: group for kind, group in groups.items() if len(group) >= LEAST_QUERIES}
    scales = [Way(scale=scale) for scale in SCALES]
    ways = {
        name: [Way(name, power, scale) for power, scale in product(POWERS, SCALES)]
        for name in options.signal or SIGNALS
    }
    for name, grid in ways.items():
        report(name, [*scales, *grid], asked)
    report("any of these signals", [*scales, *(way for grid in ways.values() for way in grid)], asked)


if __name__ == "__main__":
    main()
