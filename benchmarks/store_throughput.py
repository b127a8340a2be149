"""How fast a store takes chunks and answers: upserts a second, and the latency of each kind of search.

    python benchmarks/store_throughput.py --chunks 20000 --dimensions 384 [--token-vectors 40]

The vectors are clustered at random, the sparse ones have words of Zipf's frequencies: no model is needed. It
fills a new collection in a temporary folder and removes it. Medians; on a busy machine compare CPU times.
With token vectors, so many a chunk, a question of 12 tokens is searched by them too.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from uuid import UUID

import numpy as np

from ragcrawler.embedding.tokens.token_bytes import TOKENS_VERSION, token_bytes
from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.stores import ChunkStore, CollectionModels, StoreConfig, open_store
from ragcrawler.stores.filters import read_filters
from ragcrawler.stores.search_request import Ranking, SearchRequest

_CLUSTERS = 200
_VOCABULARY = 30_000
_SPARSE_ENTRIES = 100
_QUERY_ENTRIES = 20
_CHUNKS_A_WRITE = 64
_QUERIES = 40
_QUESTION_TOKENS = 12


class Corpus:
    """Chunks and queries that look like those of a real collection."""

    def __init__(self, dimensions: int, token_vectors: int) -> None:
        self._token_vectors = token_vectors
        self._random = np.random.default_rng(1)
        self._centres = self._random.normal(size=(_CLUSTERS, dimensions))
        frequencies = 1.0 / np.arange(1, _VOCABULARY + 1)
        self._frequencies = frequencies / frequencies.sum()

    def vectors(self, entries: int) -> Vectors:
        """A direction near a cluster, and weights of some words."""
        centre = self._centres[self._random.integers(_CLUSTERS)]
        dense = centre + self._random.normal(size=centre.shape) * 0.7
        drawn = self._random.choice(_VOCABULARY, 2 * entries, p=self._frequencies)
        words = np.unique(drawn)[:entries]
        sparse = SparseVector(words.tolist(), self._random.random(len(words)).tolist())
        return Vectors(dense.tolist(), sparse, self.tokens(centre, self._token_vectors))

    def tokens(self, centre: np.ndarray, number: int) -> tuple[bytes, ...]:
        """Vectors of tokens near a cluster."""
        near = centre + self._random.normal(size=(number, len(centre))) * 0.7
        return token_bytes(near.astype(np.float32)) if number else ()

    def chunk(self, number: int) -> SemanticChunk:
        """A chunk of about 1,500 characters, 20 to a document."""
        content = f"Passage {number}. " + "word " * 300
        return SemanticChunk(
            id=str(UUID(int=number + 1)),
            chunk_id=f"chunk_{number}",
            document_id=f"document_{number // 20}",
            content=content,
            content_hash=f"{number:064x}",
            token_count=300,
            embed_text=f"Guide > Part\n\n{content}",
            start=0,
            end=len(content),
            position=number % 20,
            source_url=f"https://docs.example/{number // 20}",
            section_path=("Guide", "Part"),
            vectors=self.vectors(_SPARSE_ENTRIES),
        )


def main() -> None:
    options = _options()
    corpus = Corpus(options.dimensions, options.token_vectors)
    tokens = TOKENS_VERSION if options.token_vectors else ""
    with tempfile.TemporaryDirectory() as folder:
        config = StoreConfig(folder=Path(folder), kind=options.kind)
        with open_store(config) as store:
            store.create(CollectionModels("random", options.dimensions, "random", tokens=tokens))
            _fill(store, corpus, options.chunks)
            _search(store, corpus)
            _report("optimize", [_timed(store.optimize)])
            _search(store, corpus)
            _recrawl(store, options.chunks)
            _report("flush", [_timed(store.flush)])
        if options.kind == "edge":
            _report("open again", [_timed(lambda: open_store(config).close())])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--token-vectors", type=int, default=0, metavar="NUMBER")
    parser.add_argument("--kind", choices=("edge", "memory"), default="edge")
    return parser.parse_args()


def _fill(store: ChunkStore, corpus: Corpus, chunks: int) -> None:
    """Time the store alone: making the vectors costs more than storing them."""
    times = []
    for start in range(0, chunks, _CHUNKS_A_WRITE):
        written = [corpus.chunk(number) for number in range(start, min(start + _CHUNKS_A_WRITE, chunks))]
        times.append(_timed(partial(store.upsert, written)))
    _report("upsert, a chunk", [each / _CHUNKS_A_WRITE for each in times])


def _recrawl(store: ChunkStore, chunks: int) -> None:
    """The calls of a second crawl of unchanged pages."""
    documents = range(0, chunks // 20, max(1, chunks // 20 // _QUERIES))
    _report(
        "embed_hashes, a document", [_timed(partial(store.embed_hashes, f"document_{n}")) for n in documents]
    )


def _search(store: ChunkStore, corpus: Corpus) -> None:
    queries = [corpus.vectors(_QUERY_ENTRIES) for _ in range(_QUERIES)]
    for mode in ("dense", "sparse", "hybrid"):
        legs = [[each for each in _rankings(query) if mode in (each.leg, "hybrid")] for query in queries]
        _report(f"search {mode}", [_timed(partial(store.search, _request(each))) for each in legs])
    weighted = [[replace(each, weight=n + 1) for n, each in enumerate(_rankings(query))] for query in queries]
    _report("search hybrid, weighted", [_timed(partial(store.search, _request(each))) for each in weighted])
    if queries[0].tokens:
        for name, rankings in (("dense", [each[:1] for each in weighted]), ("hybrid", weighted)):
            asked = [
                replace(
                    _request(each),
                    tokens=query.tokens[:_QUESTION_TOKENS],
                    token_weight=1.0,
                    fusion="dbsf",
                )
                for each, query in zip(rankings, queries, strict=True)
            ]
            _report(f"search {name} and tokens", [_timed(partial(store.search, each)) for each in asked])
    filters = read_filters({"document_id": "document_1"})
    requests = [replace(_request(_rankings(query)), filters=filters) for query in queries]
    _report("search hybrid, one document", [_timed(partial(store.search, each)) for each in requests])


def _rankings(query: Vectors) -> list[Ranking]:
    return [Ranking("dense", query.dense), Ranking("sparse", query.sparse)]


def _request(rankings: list[Ranking]) -> SearchRequest:
    return SearchRequest(tuple(rankings), limit=10)


def _timed(call: Callable[[], object]) -> np.ndarray:
    """Wall and CPU milliseconds, all threads of the process."""
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return 1000 * np.array([time.perf_counter() - wall, time.process_time() - cpu])


def _report(what: str, times: list[np.ndarray]) -> None:
    wall, cpu = np.median(times, axis=0)
    print(f"{what:<30} {wall:>10.2f} ms wall {cpu:>10.2f} ms CPU", flush=True)


if __name__ == "__main__":
    main()
