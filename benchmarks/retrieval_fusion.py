"""Whether the words' rankings should count by how sure they are: chosen on all sites but one, judged on it.

    python benchmarks/retrieval_fusion.py [--set FOLDER ...] [--site NAME OUTPUT_DIR QUERIES ...]
        [--setting NAME=VALUE ...]

Sets and sites are those of `retrieval_quality.py`. Words are sure of a question as far as their best hit has
them: the share, by rarity among the proposed chunks, of the question's words that the best chunk by BM25
holds, from 0 to 1. The weights of bm25, sparse and document are multiplied by scale * share ** power; a grid
of both is tried, and each site (or set) gets the pair that is best on all others: by the mean nDCG@10 of
their kinds of query, less half of what the worst kind is more than .01 under its best single ranking. A kind
counts from ten queries on.
"""

import argparse
import json
import math
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
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
from ragcrawler.stores import Hit
from ragcrawler.stores.ranking.candidates import Candidate, Candidates, fuse
from ragcrawler.stores.ranking.word_weights import document_weights, query_weights
from ragcrawler.stores.search_request import Leg, Ranking, SearchRequest

LEGS: tuple[Leg, ...] = ("dense", "bm25", "sparse")
POWERS, SCALES = (0.0, 1.0, 2.0, 3.0), (0.7, 1.0, 1.4, 2.0)
HITS, PROPOSED, LEAST_QUERIES, MARGIN, ROUNDS = 30, 120, 10, 0.01, 2_000
USUAL = (0.0, 1.0)  # power and scale that change nothing

Way = tuple[float, float] | Leg
Kind = tuple[str, str]


class Scored(NamedTuple):
    ndcg: float
    passage: float | None
    evidence: float | None


@dataclass(frozen=True)
class Asked:
    """A query with all that its rankings proposed."""

    query: Mapping[str, Any]
    request: SearchRequest
    candidates: Candidates
    chunks: Mapping[str, SemanticChunk]
    share: float

    def hits(self, way: Way) -> list[Hit]:
        if isinstance(way, str):
            ranked: Sequence[Candidate] = self.candidates.rankings[LEGS.index(way)]
        else:
            power, scale = way
            sure = scale * self.share**power
            rankings = tuple(
                replace(each, weight=each.weight * (1.0 if each.leg == "dense" else sure))
                for each in self.request.rankings
            )
            weight = self.request.document_weight * sure
            ranked = fuse(self.candidates, replace(self.request, rankings=rankings, document_weight=weight))
        return [Hit(self.chunks[each.id], each.score) for each in ranked[:HITS]]

    def score(self, way: Way, *, whole: bool) -> Scored:
        hits = self.hits(way)
        if "grades" in self.query:
            found = found_documents([hit.chunk for hit in hits], self.query["grades"])
            return Scored(ndcg(found, self.query["grades"], 10), None, None)
        if whole:
            scores = site_scores(self.query, hits)
            return Scored(scores["nDCG@10"], scores.get("passage@5"), scores.get("evidence"))
        pages = dict.fromkeys(page(hit) for hit in hits if page(hit) not in self.query["exclude"])
        return Scored(ndcg(list(pages), {gold["url"]: 1 for gold in self.query["gold"]}, 10), None, None)


def share_of_words(words: SparseVector, proposed: Mapping[str, SparseVector], best: str | None) -> float:
    """How much of the question, by rarity, the best chunk holds."""
    having = {index: sum(index in each.indices for each in proposed.values()) for index in words.indices}
    total = len(proposed)
    worth = {
        index: times * math.log1p((total - having[index] + 0.5) / (having[index] + 0.5))
        for index, times in zip(words.indices, words.values, strict=True)
    }
    held = set(proposed[best].indices) if best else set()
    return sum(worth[index] for index in worth if index in held) / (sum(worth.values()) or 1.0)


def ask(retriever: CollectionRetriever, query: Mapping[str, Any]) -> Asked:
    text = query["query"]
    found = {leg: retriever.search(text, PROPOSED, mode=leg) for leg in LEGS}
    chunks = {hit.chunk.id: hit.chunk for hits in found.values() for hit in hits}
    held = {name: document_weights(chunk.embed_text) for name, chunk in chunks.items()}
    words = query_weights(text)
    weights = retriever.options.weights
    request = SearchRequest(
        # The rankings are made already: their vectors play no part in the fusion.
        tuple(Ranking(leg, (), weights.get(leg, 0.0)) for leg in LEGS),
        HITS,
        words=words,
        document_weight=weights.get("document", 0.0),
        fusion=retriever.options.fusion,
    )
    rankings = [[Candidate.of_chunk(hit.chunk, hit.score) for hit in found[leg]] for leg in LEGS]
    best = found["bm25"][0].chunk.id if found["bm25"] else None
    return Asked(query, request, Candidates(rankings, held), chunks, share_of_words(words, held, best))


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


def report(asked: Mapping[Kind, Sequence[Asked]]) -> None:
    ways = list(product(POWERS, SCALES))
    means = {
        kind: {way: fmean(each.score(way, whole=False).ndcg for each in group) for way in (*ways, *LEGS)}
        for kind, group in asked.items()
    }

    def worth(way: Way, kinds: Sequence[Kind]) -> float:
        worst = min(means[kind][way] - max(means[kind][leg] for leg in LEGS) for kind in kinds)
        return fmean(means[kind][way] for kind in kinds) + 0.5 * min(0.0, worst + MARGIN)

    print(
        "| site, kind | queries | power, scale | nDCG@10 | over the best ranking | p | passage@5 | evidence |"
    )
    print("|---|---|---|---|---|---|---|---|")
    pooled: list[float] = []
    for kind, group in sorted(asked.items()):
        others = [each for each in asked if each[0] != kind[0]]
        chosen = max(ways, key=lambda way: worth(way, others))
        before = [each.score(USUAL, whole=True) for each in group]
        after = [each.score(chosen, whole=True) for each in group]
        differences = [new.ndcg - old.ndcg for old, new in zip(before, after, strict=True)]
        pooled += differences
        best = max(means[kind][leg] for leg in LEGS)
        gaps = " to ".join(f"{means[kind][way] - best:+.3f}" for way in (USUAL, chosen))
        cells = [_change(before, after, name) for name in ("ndcg", "passage", "evidence")]
        print(
            f"| {kind[0]}, {kind[1]} | {len(group)} | {chosen[0]:g}, {chosen[1]:g} | {cells[0]} | {gaps} |"
            f" {chance(differences):.2f} | {cells[1]} | {cells[2]} |"
        )
    print(f"\nall queries: {fmean(pooled):+.4f}, p {chance(pooled):.3f}")
    best_way = max(ways, key=lambda way: worth(way, list(asked)))
    print(f"best on all: power {best_way[0]:g}, scale {best_way[1]:g}")


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
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    settings = dict(each.split("=", 1) for each in options.setting)
    groups: dict[Kind, list[Asked]] = defaultdict(list)
    for kind, each in ask_all(options, settings):
        groups[kind].append(each)
    report({kind: group for kind, group in groups.items() if len(group) >= LEAST_QUERIES})


if __name__ == "__main__":
    main()
