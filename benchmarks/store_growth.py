"""Does a chunk cost more, and does a search take longer, as the collection grows? Real text, no model.

    python benchmarks/store_growth.py FOLDER_OF_MARKDOWN --sizes 1000 10000 50000

The Markdown of the folder is chunked as a crawl does, and repeated with other words in it until there are
enough chunks; the hashing embedder makes the vectors. At each size: what a chunk costs the store (looking up
its document, writing it; optimising shared out), with the chunks since the size before, and how long a search
takes, before and after `optimize`. The last lines compare each size with the first. Vectors are made outside
of the clock. It fills a new collection in a temporary folder and removes it.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TypeVar
from uuid import NAMESPACE_URL, uuid5

import numpy as np

from ragcrawler.chunking import ChunkingConfig, TokenizerCounter, chunk_markdown
from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.families.hashing import HashingFamily
from ragcrawler.embedding.families.hashing_embedders import (
    HASHING_DENSE,
    HASHING_SPARSE,
    HashingDense,
    HashingSparse,
)
from ragcrawler.items import SemanticChunk, Vectors
from ragcrawler.retrieval import CollectionRetriever
from ragcrawler.stores import ChunkStore, CollectionModels, StoreConfig, open_store

Result = TypeVar("Result")

_DENSE, _SPARSE = HashingDense(), HashingSparse()
_CHANGED_WORD = 5  # of a copy: every fifth is another
_QUERIES = 300
_QUERY_WORDS = 7
_RECENT = 1_000  # chunks at the end of a step: whether the last ones cost more than the first


@dataclass(frozen=True, slots=True)
class Step:
    """The figures of one size: milliseconds a chunk as (wall, CPU of all threads), and of searches."""

    size: int
    embed: np.ndarray
    write: np.ndarray
    recent: np.ndarray
    optimise: np.ndarray
    p50: float
    p99: float


def main() -> None:
    options = _options()
    documents = _documents(options.folder)
    pages, queries = _pages(documents), _queries(documents)
    with tempfile.TemporaryDirectory() as folder:
        config = StoreConfig(folder=Path(folder), kind=options.kind, quantization=options.quantization)
        with open_store(config) as store:
            store.create(CollectionModels(HASHING_DENSE.name, HASHING_DENSE.dimensions, HASHING_SPARSE.name))
            steps = [_grow(store, pages, size, queries) for size in options.sizes]
    _conclude(steps)


def _conclude(steps: list[Step]) -> None:
    print("milliseconds a chunk, wall (CPU), and how many times that of the first size by CPU")
    first = steps[0]
    for step in steps:
        parts = [
            ("store", step.write, first.write),
            ("its last 1,000", step.recent, first.recent),
            ("with optimize", step.write + step.optimise, first.write + first.optimise),
            (
                "with the hashing embedder",
                step.embed + step.write + step.optimise,
                first.embed + first.write + first.optimise,
            ),
        ]
        said = "; ".join(f"{name} {a[0]:.2f} ({a[1]:.2f}) x{a[1] / b[1]:.2f}" for name, a, b in parts)
        print(f"{step.size:>8,} {said}; a search p50 {step.p50:.2f} ms, p99 {step.p99:.2f} ms")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path, help="where *.md files are, at any depth")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 50_000])
    parser.add_argument("--kind", choices=("edge", "memory"), default="edge")
    parser.add_argument("--quantization", choices=("none", "scalar"), default="none")
    return parser.parse_args()


def _documents(folder: Path) -> list[list[SemanticChunk]]:
    tokens = TokenizerCounter(
        HashingFamily().tokenizer(HASHING_DENSE, EmbeddingConfig()), limit_tokens=HASHING_DENSE.limit_tokens
    )
    config = ChunkingConfig()
    documents = []
    for path in sorted(folder.rglob("*.md")):
        markdown = path.read_text(encoding="utf-8", errors="replace")
        documents.append(chunk_markdown(markdown, config=config, tokens=tokens, document_id=path.name))
    found = [chunks for chunks in documents if chunks]
    if not found:
        raise SystemExit(f"{folder} holds no Markdown with text in it")
    print(f"{len(found)} documents, {sum(map(len, found))} chunks of their own")
    return found


def _pages(documents: list[list[SemanticChunk]]) -> Iterator[list[SemanticChunk]]:
    """The documents again and again, each time with other words."""
    for copy in count():
        for chunks in documents:
            yield [_varied(chunk, copy) for chunk in chunks]


def _varied(chunk: SemanticChunk, copy: int) -> SemanticChunk:
    words = chunk.content.split(" ")
    if copy:
        changed = slice(copy % _CHANGED_WORD, None, _CHANGED_WORD)
        words[changed] = [f"{word}{copy}" for word in words[changed]]
    content = " ".join(words)
    document = f"{chunk.document_id}-{copy}"
    return replace(
        chunk,
        id=str(uuid5(NAMESPACE_URL, f"{chunk.id}-{copy}")),
        document_id=document,
        source_url=f"https://docs.example/{document}",
        content=content,
        embed_text=content,
    )


def _embedded(chunks: list[SemanticChunk]) -> list[SemanticChunk]:
    return [replace(chunk, vectors=_vectors(chunk.embed_text)) for chunk in chunks]


def _vectors(text: str) -> Vectors:
    return Vectors(_DENSE.embed_query(text), _SPARSE.embed_query(text))


def _queries(documents: list[list[SemanticChunk]]) -> list[str]:
    """Words that stand together somewhere, spread over the documents."""
    random = np.random.default_rng(1)
    chunks = [chunk for document in documents for chunk in document]
    texts = []
    for number in random.integers(len(chunks), size=_QUERIES):
        words = chunks[number].content.split()
        start = int(random.integers(max(1, len(words) - _QUERY_WORDS)))
        texts.append(" ".join(words[start : start + _QUERY_WORDS]))
    return [text for text in texts if text.strip()]


def _grow(store: ChunkStore, pages: Iterator[list[SemanticChunk]], size: int, queries: list[str]) -> Step:
    added, done = size - store.count(), 0
    embedding, writing, lengths = [], [], []
    while done < added:
        page = next(pages)
        cost, chunks = _timed(partial(_embedded, page))
        embedding.append(cost)
        writing.append(_timed(partial(_write, store, chunks))[0])
        lengths.append(len(page))
        done += len(page)
    recent = next(n for n in count(1) if sum(lengths[-n:]) >= min(_RECENT, added))
    _report(size, "search, not optimised", _latencies(store, queries))
    optimising, _ = _timed(store.optimize)
    print(f"{size:>8,} optimize took {optimising[0]:.0f} ms", flush=True)
    latencies = _latencies(store, queries)
    _report(size, "search, optimised", latencies)
    return Step(
        size,
        embed=np.sum(embedding, axis=0) / done,
        write=np.sum(writing, axis=0) / done,
        recent=np.sum(writing[-recent:], axis=0) / sum(lengths[-recent:]),
        optimise=optimising / done,
        p50=float(np.percentile(latencies, 50)),
        p99=float(np.percentile(latencies, 99)),
    )


def _write(store: ChunkStore, chunks: list[SemanticChunk]) -> None:
    """The calls of the store that a crawl makes for a page."""
    store.embed_hashes(chunks[0].document_id)
    store.upsert(chunks)


def _latencies(store: ChunkStore, queries: list[str]) -> np.ndarray:
    """Of searches for ten hits with the default options; the hashing embedders take next to nothing."""
    retriever = CollectionRetriever(store, _DENSE, _SPARSE)
    return np.array([_timed(partial(retriever.search, query))[0][0] for query in queries])


def _timed(call: Callable[[], Result]) -> tuple[np.ndarray, Result]:
    """Wall and CPU milliseconds, all threads of the process, and the result."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = call()
    return 1000 * np.array([time.perf_counter() - wall, time.process_time() - cpu]), result


def _report(size: int, what: str, times: np.ndarray) -> None:
    p50, p99 = np.percentile(times, [50, 99])
    print(f"{size:>8,} {what:<26} p50 {p50:>7.2f} ms  p99 {p99:>7.2f} ms", flush=True)


if __name__ == "__main__":
    main()
