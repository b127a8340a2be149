"""Whether a crawl embeds as fast as the models can: the crawl's own way against bare loops.

    python benchmarks/embedding_throughput.py FOLDER_OF_HTML [--pages 40] [--rounds 5] [--suffix -int8]
        [--plain] [--token-vectors]

The pages are converted and cut beforehand. A crawl's way: pages come a few at a time, are looked up in an
empty cache, embedded by both models, and written to the embedded store. The bare loops run the same models
over all texts at once, sorted by length, in batches of one, two and four texts, several batches at a time;
with --plain also as fastembed runs them by itself, with --token-vectors also the crawl's way with token
vectors kept. All ways take turns within one process. Of each the
fastest round counts, since other work on the machine only adds: its wall and CPU time are printed as ratios
to the best bare loop's. Then the share of the crawl's wall time that its threads spent in the models (with
what other work takes from them meanwhile), and the time after which the first page was stored.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ragcrawler.bootstrap.models.collection_embedders import (
    collection_models,
    open_collection_embedders,
    preparation_for,
)
from ragcrawler.bootstrap.models.vector_cache import open_vector_cache
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.embedding.embedders import Embedders
from ragcrawler.embedding.inference.sorted_batches import embed_sorted
from ragcrawler.items import Page, SemanticChunk, Vectors
from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor
from ragcrawler.run.indexing.chunk_embedder import ChunkEmbedder
from ragcrawler.stores import open_store

PAGES_IN_FLIGHT = 16
Chunks = Sequence[SemanticChunk]


@dataclass(frozen=True)
class Taken:
    wall: float
    cpu: float
    first: float = 0.0
    busy: float = 0.0


class Timed:
    """An embedder that adds up how long its runs take."""

    def __init__(self, embedder: Any) -> None:
        self._embedder = embedder
        self.seconds = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)

    def embed_batch(self, texts: Sequence[str]) -> Any:
        begin = time.perf_counter()
        vectors = self._embedder.embed_batch(texts)
        self.seconds += time.perf_counter() - begin
        return vectors


def cut(folder: Path, count: int, configuration: Configuration, embedders: Embedders) -> list[Chunks]:
    prepare = preparation_for(embedders, configuration)
    files = sorted(folder.rglob("*.html"))
    pages = []
    for file in files[:: max(1, len(files) // count)][:count]:
        url = f"http://localhost/{file.relative_to(folder)}"
        page = Page(str(file), url, url, file.read_bytes(), "text/html; charset=utf-8", 200, "")
        pages.append(prepare(page).document.chunks)
    return [chunks for chunks in pages if chunks]


def timed(work: Callable[[], object]) -> Taken:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Taken(time.perf_counter() - wall, time.process_time() - cpu)


def crawl_like(pages: list[Chunks], configuration: Configuration) -> Taken:
    with tempfile.TemporaryDirectory() as folder:
        configuration = replace(
            configuration,
            cache_path=Path(folder) / "cache.sqlite",
            store=replace(configuration.store, folder=Path(folder) / "qdrant"),
        )
        embedders = open_collection_embedders(configuration, None, open_vector_cache(configuration))
        dense, sparse = Timed(embedders.dense), Timed(embedders.sparse)
        timed_embedders = replace(embedders, dense=dense, sparse=sparse)
        return asyncio.run(pipeline(pages, configuration, timed_embedders))


async def pipeline(pages: list[Chunks], configuration: Configuration, embedders: Any) -> Taken:
    """Seconds from the first page's chunks to the last page's points, without opening and closing."""
    store_thread = SingleThreadExecutor("store")
    store = await store_thread.do(lambda: open_store(configuration.store))
    await store_thread.do(lambda: store.create(collection_models(embedders)))
    maker = ChunkEmbedder(embedders, lambda: True)
    places, stored = asyncio.Semaphore(PAGES_IN_FLIGHT), []

    async def page(chunks: Chunks) -> None:
        async with places:
            made = (await maker.embed(chunks)).outcomes
            vectors = [outcome for outcome in made if isinstance(outcome, Vectors)]
            pairs = zip(chunks, vectors, strict=True)
            ready = [replace(chunk, vectors=both) for chunk, both in pairs]
            await store_thread.do(lambda: store.upsert(ready))
            stored.append(time.perf_counter())

    timed_models = (embedders.dense, embedders.sparse)
    threads = configuration.embedding.threads
    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*map(page, pages))
    whole = time.perf_counter() - wall
    busy = sum(model.seconds for model in timed_models) / threads / whole
    taken = Taken(whole, time.process_time() - cpu, (stored[0] - wall) / whole, busy)
    await maker.close()
    await store_thread.do(store.close)
    store_thread.close()
    return taken


def bare(embedders: Embedders, texts: list[str], batch: int, runs: int) -> None:
    for embedder in (embedders.dense, embedders.sparse):
        limits = BatchLimits(batch, 10**9, runs, embedder.limits.limit_tokens)
        embed_sorted(embedder.embed_batch, texts, limits)


def by_fastembed(configuration: Configuration, suffix: str, threads: int) -> Callable[[list[str]], None]:
    from fastembed import SparseTextEmbedding, TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    from ragcrawler.embedding.onnx.bundled import BUNDLED_MODELS
    from ragcrawler.embedding.onnx.bundled_build import built_folder

    named = {model.name: model for model in BUNDLED_MODELS}
    cache = configuration.embedding.cache_dir
    dense = str(built_folder(named[f"bundled/all-MiniLM-L6-v2{suffix}"], cache).path)
    sparse = str(built_folder(named[f"bundled/splade-tiny{suffix}"], cache).path)
    TextEmbedding.add_custom_model(
        "bare", PoolingType.MEAN, True, ModelSource(hf="bare"), 384, model_file="model.onnx"
    )
    one = TextEmbedding("bare", specific_model_path=dense, threads=threads)
    other = SparseTextEmbedding("prithivida/Splade_PP_en_v1", specific_model_path=sparse, threads=threads)

    def run(texts: list[str]) -> None:
        by_length = sorted(texts, key=len)
        list(one.embed(by_length, batch_size=4))
        list(other.embed(by_length, batch_size=4))

    return run


def report(taken: dict[str, list[Taken]]) -> None:
    walls = {name: min(one.wall for one in rows) for name, rows in taken.items()}
    cpus = {name: min(one.cpu for one in rows) for name, rows in taken.items()}
    loops = [name for name in taken if not name.startswith("crawl")]
    best_wall, best_cpu = min(walls[name] for name in loops), min(cpus[name] for name in loops)
    for name in taken:
        print(f"{name:22} wall {walls[name] / best_wall:5.2f}  CPU {cpus[name] / best_cpu:5.2f}")
    busy, first = (
        statistics.median(getattr(one, name) for one in taken["crawl"]) for name in ("busy", "first")
    )
    print(
        f"throughput of the crawl's way: {best_wall / walls['crawl']:.3f} of the best bare loop by wall,"
        f" {best_cpu / cpus['crawl']:.3f} by CPU; threads in the models {busy:.1%} of the time;"
        f" first page stored after {first:.0%}"
    )


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--pages", type=int, default=40)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--suffix", default="", help="-int8 for the models in 8 bits")
    arguments.add_argument("--plain", action="store_true", help="fastembed's own way too, which is slow")
    arguments.add_argument("--token-vectors", action="store_true", help="the crawl's way with them too")
    options = arguments.parse_args()
    configuration = Configuration.from_settings(
        project_settings(
            EMBEDDING_MODEL=f"bundled/all-MiniLM-L6-v2{options.suffix}",
            SPARSE_EMBEDDING_MODEL=f"bundled/splade-tiny{options.suffix}",
            QDRANT_URL="",
            HF_HUB_OFFLINE="1",
        )
    )
    embedders = open_collection_embedders(configuration, None)
    pages = cut(options.folder, options.pages, configuration, embedders)
    texts = [chunk.embed_text for chunks in pages for chunk in chunks]
    threads = configuration.embedding.threads
    print(f"{len(pages)} pages, {len(texts)} texts, {threads} threads")
    ways: dict[str, Callable[[], Taken]] = {"crawl": lambda: crawl_like(pages, configuration)}
    for batch in (1, 2, 4):
        ways[f"bare, batches of {batch}"] = lambda batch=batch: timed(
            lambda: bare(embedders, texts, batch, threads)
        )
    if options.token_vectors:
        with_tokens = replace(configuration, embedding=replace(configuration.embedding, token_vectors=True))
        ways["crawl, token vectors"] = lambda: crawl_like(pages, with_tokens)
    if options.plain:
        plain = by_fastembed(configuration, options.suffix, threads)
        ways["fastembed by itself"] = lambda: timed(lambda: plain(texts))
    taken: dict[str, list[Taken]] = {name: [] for name in ways}
    for _ in range(options.rounds):
        for name, way in ways.items():
            taken[name].append(way())
    report(taken)


if __name__ == "__main__":
    main()
