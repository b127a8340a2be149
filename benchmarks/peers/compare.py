r"""How well questions find their answers in pages that were extracted and cut by others: docs/comparison.md.

    uv run --with langchain-text-splitters==1.1.3 --with semchunk==4.1.1 \
        python -m benchmarks.peers.compare --site NAME FOLDER QUERIES [--site ...] [--only SYSTEM]

FOLDER holds a site's HTML files, QUERIES is a file of `benchmarks/retrieval_quality.py`;
`python -m benchmarks.peers.faq_site` makes both of a package of documentation. All get the same pages,
are embedded by the same two models (the settings'; `--setting NAME=VALUE` for others), and searched
by the same code: dense, sparse, BM25, and the three fused by RRF with equal weights. `--size` bounds the
peers' passages, in tokens of the dense model; the default is what ours aims at. Neither has an overlap.

A table for each of nDCG@10, passage@5 and evidence, as `benchmarks/retrieval_quality.py` defines them. In
brackets how far a system is from the first, paired by question: 95 % of 10,000 resamples.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.peers.systems import System, systems
from benchmarks.retrieval_quality import HITS, site_scores
from ragcrawler.bootstrap.chunk_setup import setup_of
from ragcrawler.bootstrap.models.collection_embedders import collection_models, open_collection_embedders
from ragcrawler.bootstrap.models.vector_cache import open_vector_cache
from ragcrawler.chunking.output.identity import PointIds, content_hash, embed_hash
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.embedding.embedders import Embedders
from ragcrawler.items import SemanticChunk
from ragcrawler.retrieval import CollectionRetriever, RetrievalMode, SearchOptions
from ragcrawler.stores import StoreConfig, open_store

RESAMPLES = 10_000
AT_ONCE = 64
MODES: dict[str, RetrievalMode] = {"dense": "dense", "sparse": "sparse", "BM25": "bm25", "RRF": "hybrid"}
OPTIONS = SearchOptions(weights={"dense": 1.0, "sparse": 1.0, "bm25": 1.0}, fusion="rrf")
Scores = dict[tuple[str, str], list[float]]  # of each question, by ranking and measure


def passages(system: System, folder: Path, model: str) -> list[SemanticChunk]:
    made = []
    for file in sorted(folder.rglob("*.html")):
        url = f"http://site.test/{file.relative_to(folder).as_posix()}"
        ids = PointIds(url)
        for position, (shown, embedded) in enumerate(
            system.split(system.extract(file.read_bytes(), url), url)
        ):
            digest = content_hash(shown)
            made.append(
                SemanticChunk(
                    id=ids.next(digest),
                    chunk_id=f"{url}-{position}",
                    document_id=url,
                    document_title="",
                    source_url=url,
                    chunk_link=url,
                    content=shown,
                    content_hash=digest,
                    embed_text=embedded,
                    embed_hash=embed_hash(embedded, model),
                    token_count=0,
                    start=0,
                    end=len(shown),
                    position=position,
                )
            )
    return made


@contextmanager
def searched(chunks: Sequence[SemanticChunk], embedders: Embedders) -> Iterator[CollectionRetriever]:
    with (
        TemporaryDirectory() as folder,
        open_store(StoreConfig(folder=Path(folder), collection="peers")) as store,
    ):
        store.create(collection_models(embedders))
        for start in range(0, len(chunks), AT_ONCE):
            batch = chunks[start : start + AT_ONCE]
            vectors = embedders.embed(batch)
            store.upsert([replace(chunk, vectors=each) for chunk, each in zip(batch, vectors, strict=True)])
        store.optimize()
        yield CollectionRetriever(store, embedders.dense, embedders.sparse, options=OPTIONS)


def judged(retriever: CollectionRetriever, queries: Sequence[Mapping[str, Any]]) -> Scores:
    scores: Scores = {}
    for name, mode in MODES.items():
        for query in queries:
            hits = retriever.search(query["query"], HITS, mode=mode, options=OPTIONS)
            for measure, value in site_scores(query, hits).items():
                scores.setdefault((name, measure), []).append(value)
    return scores


def interval(differences: Sequence[float]) -> tuple[float, float]:
    values = np.array(differences)
    picked = np.random.default_rng(0).integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.quantile(values[picked].mean(axis=1), (0.025, 0.975))
    return float(low), float(high)


def print_site(title: str, results: Mapping[str, Scores], counts: Mapping[str, int]) -> None:
    """A table for each measure, a column for each ranking."""
    print(f"\n## {title}")
    first = next(iter(results))
    for measure in dict.fromkeys(measure for _, measure in results[first]):
        print(f"\n| {measure} | passages | {' | '.join(MODES)} |\n|---|---|{'---|' * len(MODES)}")
        for system, scores in results.items():
            cells = [cell(scores[mode, measure], results[first][mode, measure]) for mode in MODES]
            print(f"| {system} | {counts[system]:,} | {' | '.join(cells)} |")


def cell(values: Sequence[float], reference: Sequence[float]) -> str:
    """The mean, and where it is not the reference's own, how far it is from that, with its interval."""
    mean = f"{fmean(values):.3f}"
    if values is reference:
        return mean
    differences = [value - other for value, other in zip(values, reference, strict=True)]
    low, high = interval(differences)
    return f"{mean} ({fmean(differences):+.3f} [{low:+.3f}, {high:+.3f}])"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--site", nargs=3, action="append", required=True, metavar=("NAME", "FOLDER", "QUERIES")
    )
    parser.add_argument("--only", action="append", default=[], metavar="SYSTEM", help="this one; repeatable")
    parser.add_argument("--size", type=int, default=0)
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    values = project_settings(**dict(each.split("=", 1) for each in options.setting))
    configuration = Configuration.from_settings(values)
    setup = setup_of(configuration, None)
    cache = open_vector_cache(configuration)
    embedders = open_collection_embedders(configuration, None, cache)
    chosen = [
        system
        for system in systems(setup, options.size or setup.config.target_tokens)
        if not options.only or system.name in options.only
    ]
    pooled: dict[str, Scores] = {system.name: {} for system in chosen}
    totals = dict.fromkeys(pooled, 0)
    for name, folder, file in options.site:
        queries = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]
        results: dict[str, Scores] = {}
        counts: dict[str, int] = {}
        for system in chosen:
            chunks = passages(system, Path(folder), embedders.name)
            counts[system.name] = len(chunks)
            totals[system.name] += len(chunks)
            with searched(chunks, embedders) as retriever:
                results[system.name] = judged(retriever, queries)
            print(f"{name}: {system.name} is done", file=sys.stderr)
            for column, each in results[system.name].items():
                pooled[system.name].setdefault(column, []).extend(each)
        print_site(f"{name}, {len(queries)} questions", results, counts)
    if len(options.site) > 1:
        print_site("all sites", pooled, totals)
    print(f"\nmodels: {embedders.name}")
    embedders.close()
    if cache is not None:
        cache.close()


if __name__ == "__main__":
    main()
