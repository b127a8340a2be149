"""Whether texts of in-links should count as words of a page: chosen on all sites but one, judged on it.

    python benchmarks/retrieval_anchors.py --site NAME OUTPUT_DIR QUERIES ... [--setting NAME=VALUE ...]

Sites are those of `retrieval_quality.py`. The labels of all links in stored chunks are given to the pages to
which they lead, each label once for each page that it stands on. Links within a page, and those on pages that
a query of the site excludes, do not count. What these labels hold of the question's words, a share as that of
`document` in `HYBRID_WEIGHTS`, times a weight is added to the document's chunks that any ranking proposed.

A search counts the links in proposed chunks alone (`links` in `HYBRID_WEIGHTS`, left out here): does it pay
to store those of all? A grid of weights is tried, with the links of indexes, contents and other listings and
without them; each site gets what is best on all others, by the mean nDCG@10 of their kinds of query. A kind
counts from ten queries. Questions and what is none have a table each.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from retrieval_fusion import HITS, LEAST_QUERIES, Asked, Kind, ask, chance
from retrieval_quality import site_scores

from ragcrawler.bootstrap import open_retriever
from ragcrawler.items import SparseVector
from ragcrawler.retrieval.search.query_plan import QueryPlan
from ragcrawler.stores import Hit
from ragcrawler.stores.ranking.candidates import Candidate, Candidates, fuse
from ragcrawler.stores.ranking.link_scores import link_scores, link_words
from ragcrawler.stores.ranking.search import discount

WEIGHTS = (0.1, 0.2, 0.4, 0.7)


class Way(NamedTuple):
    """How much in-links count, and whether those of listings do."""

    weight: float
    of_listings: bool

    def __str__(self) -> str:
        return f"{self.weight:g}{' with listings' if self.of_listings else ''}"


NONE = Way(0.0, of_listings=False)
WAYS = [NONE, *(Way(weight, of_listings=each) for each, weight in product((False, True), WEIGHTS))]
Anchors = Mapping[str, SparseVector]
"""The BM25 weights of the labels of the links to a document, by document id."""


def ranked(asked: Asked, found: Anchors, weight: float) -> list[Hit]:
    """The hits by the weights of hybrid searches, and by this one of what in-links hold of the question."""
    weights = asked.weights
    request = replace(
        asked.request,
        rankings=tuple(replace(each, weight=weights[each.leg]) for each in asked.request.rankings),
        document_weight=weights["document"],
        link_weight=weight,
        listing_weight=asked.request.listing_weight * weights["listing"],
        page_weight=weights["page"],
    )
    hits = [asked.hits[each.leg] for each in request.rankings]
    chunks = {hit.chunk.id: hit.chunk for each in hits for hit in each}
    rankings = [[Candidate.of_chunk(hit.chunk, hit.score) for hit in each] for each in hits]
    proposed = {chunk.document_id for chunk in chunks.values()}
    linked = {each: words for each, words in found.items() if each in proposed}
    scores = link_scores(linked, request.words)
    order = discount(fuse(Candidates(rankings, asked.words, link_scores=scores), request), request)
    return [Hit(chunks[each.id], each.score) for each in order[:HITS]]


def site_results(
    name: str, output: str, file: Path, settings: Mapping[str, str]
) -> Iterator[tuple[Kind, bool, dict[Way, float]]]:
    """The scores of each query by each way, and whether it is a question."""
    queries = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    excluded = {page for query in queries for page in query["exclude"]}
    with open_retriever(**settings, OUTPUT_DIR=output) as retriever:
        chunks = [
            chunk
            for chunk in retriever.store.scroll()
            if unquote(urlsplit(chunk.source_url).path).lstrip("/") not in excluded
        ]
        content = [chunk for chunk in chunks if not chunk.extra.kind]
        found = {True: link_words(chunks), False: link_words(content)}
        documents = len({chunk.document_id for chunk in chunks})
        print(
            f"{name}: {len(found[True])} of {documents} pages have in-links, {len(found[False])} by content"
        )
        for query in queries:
            asked = ask(retriever, query)
            yield (
                (name, query["kind"]),
                QueryPlan.of(query["query"]).is_question,
                {
                    way: site_scores(query, ranked(asked, found[way.of_listings], way.weight))["nDCG@10"]
                    for way in WAYS
                },
            )


def report(results: Mapping[Kind, Sequence[Mapping[Way, float]]]) -> None:
    means = {
        kind: {way: fmean(each[way] for each in group) for way in WAYS} for kind, group in results.items()
    }
    print(f"\n| nDCG@10 | queries | {' | '.join(map(str, WAYS))} | chosen | difference | p |")
    print(f"|---|---|{'---|' * len(WAYS)}---|---|---|")
    pooled: dict[str, list[float]] = defaultdict(list)
    for kind, group in sorted(results.items()):
        others = [each for each in results if each[0] != kind[0]]
        chosen = max(WAYS, key=lambda way: fmean(means[each][way] for each in others))
        differences = [each[chosen] - each[NONE] for each in group]
        pooled[kind[1]] += differences
        cells = " | ".join(f"{means[kind][way]:.3f}" for way in WAYS)
        print(
            f"| {kind[0]}, {kind[1]} | {len(group)} | {cells} | {chosen} |"
            f" {fmean(differences):+.3f} | {chance(differences):.2f} |"
        )
    print()
    pooled["all"] = [each for differences in pooled.values() for each in differences]
    for name, differences in pooled.items():
        print(f"{name}, {len(differences)} queries: {fmean(differences):+.4f}, p {chance(differences):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--site",
        nargs=3,
        action="append",
        required=True,
        metavar=("NAME", "OUTPUT_DIR", "QUERIES"),
    )
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    settings = dict(each.split("=", 1) for each in options.setting)
    results: dict[bool, dict[Kind, list[Mapping[Way, float]]]] = {
        False: defaultdict(list),
        True: defaultdict(list),
    }
    for name, output, queries in options.site:
        for kind, asks, scores in site_results(name, output, Path(queries), settings):
            results[asks][kind].append(scores)
    for asks, kinds in results.items():
        print(f"\n## {'Questions' if asks else 'No questions'}")
        report({kind: group for kind, group in kinds.items() if len(group) >= LEAST_QUERIES})


if __name__ == "__main__":
    main()
