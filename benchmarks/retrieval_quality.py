"""How well each ranking and their fusions find what was judged relevant: the tables of docs/retrieval.md.

    python benchmarks/retrieval_quality.py [--set FOLDER ...] [--site NAME OUTPUT_DIR QUERIES ...]
        [--weights dense=1,bm25=1 ...] [--setting NAME=VALUE ...]

A set is a folder in the layout of BEIR; it is embedded with the models that the settings name. A site is a
collection that was crawled into OUTPUT_DIR, and a file of queries, a JSON object a line: `query`, `kind`,
`gold` (a list of objects with the `url` of a page, without scheme and host, and the `text` of the section
that answers), and `exclude` (pages that do not count). Every ranking and `--weights` is a row of a table:

nDCG@10      of pages, for a site, or of documents
passage@5    share of the queries with one of the five best chunks on a gold page and at least half of the
             five-word sequences of the chunk or of the section, whichever has fewer, in the other
evidence     share of the section's five-word sequences among the first 1,500 words that are returned
"""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any
from urllib.parse import unquote, urlsplit

from ragcrawler.bootstrap import open_retriever
from ragcrawler.config.models.search import hybrid_weights
from ragcrawler.maintenance.judged_corpus import open_judged_corpus
from ragcrawler.retrieval import CollectionRetriever, RetrievalMode, SearchOptions
from ragcrawler.retrieval.evaluation.beir import read_beir
from ragcrawler.retrieval.evaluation.collection_search import found_documents
from ragcrawler.retrieval.evaluation.metrics import ndcg
from ragcrawler.retrieval.short_links import short_links
from ragcrawler.stores import Hit

HITS, WORDS, SHINGLE, SHORTEST_SECTION = 30, 1_500, 5, 60
SINGLE: tuple[RetrievalMode, ...] = ("dense", "sparse", "bm25")


@dataclass(frozen=True)
class Way:
    name: str
    mode: RetrievalMode
    options: SearchOptions


def ways(retriever: CollectionRetriever, weights: Sequence[str]) -> list[Way]:
    options = retriever.options
    fused = [Way(each, "hybrid", replace(options, weights=hybrid_weights(each))) for each in weights]
    return [
        *(Way(mode, mode, options) for mode in SINGLE),
        Way("hybrid as configured", "hybrid", options),
        *fused,
    ]


def sequences(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9_]+", text.lower())
    return (
        {tuple(words[at : at + SHINGLE]) for at in range(max(1, len(words) - SHINGLE + 1))}
        if words
        else set()
    )


def page(hit: Hit) -> str:
    return unquote(urlsplit(hit.chunk.source_url).path).lstrip("/")


def is_passage(hit: Hit, sections: Sequence[tuple[str, set[tuple[str, ...]]]]) -> bool:
    own = sequences(short_links(hit.chunk.content))
    return any(
        page(hit) == gold and own and len(own & section) >= min(len(own), len(section)) / 2
        for gold, section in sections
    )


def evidence(hits: Sequence[Hit], sections: Sequence[tuple[str, set[tuple[str, ...]]]]) -> float:
    left = WORDS
    seen: list[set[tuple[str, ...]]] = [set() for _ in sections]
    for hit in hits:
        words = short_links(hit.chunk.content).split()[:left]
        left -= len(words)
        shown = sequences(" ".join(words))
        for found, (gold, section) in zip(seen, sections, strict=True):
            if page(hit) == gold:
                found.update(shown & section)
    return max(len(found) / len(section) for found, (_, section) in zip(seen, sections, strict=True))


def site_scores(query: Mapping[str, Any], hits: Sequence[Hit]) -> dict[str, float]:
    hits = [hit for hit in hits if page(hit) not in query["exclude"]]
    pages = list(dict.fromkeys(map(page, hits)))
    scores = {"nDCG@10": ndcg(pages, {gold["url"]: 1 for gold in query["gold"]}, 10)}
    long = [gold for gold in query["gold"] if len(gold["text"]) > SHORTEST_SECTION]
    if sections := [(gold["url"], sequences(gold["text"])) for gold in long]:
        scores["passage@5"] = float(any(is_passage(hit, sections) for hit in hits[:5]))
        scores["evidence"] = evidence(hits, sections)
    return scores


def print_table(title: str, rows: Mapping[str, Sequence[Mapping[str, float]]]) -> None:
    names = list(dict.fromkeys(name for values in rows.values() for each in values for name in each))
    print(f"\n| {title} | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for way, values in rows.items():
        means = (fmean(each[name] for each in values if name in each) for name in names)
        print(f"| {way} | {' | '.join(f'{mean:.3f}' for mean in means)} |")


def measure_set(folder: Path, weights: Sequence[str], settings: Mapping[str, str]) -> None:
    corpus = read_beir(folder)
    with open_judged_corpus(corpus, **settings) as retriever:
        rows: dict[str, list[dict[str, float]]] = defaultdict(list)
        for way in ways(retriever, weights):
            for query in corpus.queries:
                hits = retriever.search(query.text, HITS, mode=way.mode, options=way.options)
                ranking = found_documents([hit.chunk for hit in hits], query.grades)
                rows[way.name].append({"nDCG@10": ndcg(ranking, query.grades, 10)})
    print_table(f"{folder.name}, {len(corpus.queries)} queries", rows)


Rows = defaultdict[str, defaultdict[str, list[dict[str, float]]]]


def measure_site(
    name: str, file: Path, weights: Sequence[str], settings: Mapping[str, str], rows: Rows
) -> None:
    queries = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    with open_retriever(**settings) as retriever:
        for way in ways(retriever, weights):
            for query in queries:
                hits = retriever.search(query["query"], HITS, mode=way.mode, options=way.options)
                scores = site_scores(query, hits)
                for title in (f"{name}, {query['kind']}", f"all sites, {query['kind']}"):
                    rows[title][way.name].append(scores)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--set", type=Path, action="append", default=[], metavar="FOLDER")
    parser.add_argument(
        "--site", nargs=3, action="append", default=[], metavar=("NAME", "OUTPUT_DIR", "QUERIES")
    )
    parser.add_argument("--weights", action="append", default=[], metavar="LEG=W,...")
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    settings = dict(each.split("=", 1) for each in options.setting)
    for folder in options.set:
        measure_set(folder, options.weights, settings)
    rows: Rows = defaultdict(lambda: defaultdict(list))
    for name, output, queries in options.site:
        measure_site(name, Path(queries), options.weights, {**settings, "OUTPUT_DIR": output}, rows)
    for title in rows:
        count = len(next(iter(rows[title].values())))
        print_table(f"{title}, {count} queries", rows[title])


if __name__ == "__main__":
    main()
