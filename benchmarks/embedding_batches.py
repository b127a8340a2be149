"""The cost of batch sizes and threads: the bundled models over passages of your documents.

    python benchmarks/embedding_batches.py FOLDER_OF_MARKDOWN [--passages 64] [--rounds 5] [--cores 2]

Each way has a process of its own, the ways take turns, and the medians are printed as ratios to the first
way of its kind: wall time, CPU time, and the peak memory of the process in MB. "shared" is how fastembed uses
threads by itself, all of them on one batch, without sorting; "side by side" is ours.
"""

import argparse
import multiprocessing
import random
import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.inference.sorted_batches import embed_sorted
from ragcrawler.embedding.onnx.bundled import BUNDLED_DENSE, BUNDLED_SPARSE
from ragcrawler.embedding.onnx.bundled_build import built_folder

WORDS = (30, 80, 120, 160, 200)


@dataclass(frozen=True)
class Way:
    kind: str
    style: str
    threads: int
    batch: int

    @property
    def label(self) -> str:
        return f"{self.kind:6} {self.style:12} threads {self.threads} batch {self.batch:3}"


def passages(folder: Path, count: int) -> list[str]:
    """Paragraphs joined up to sizes between 30 and 200 words, drawn from all documents."""
    draw, found = random.Random(1), []
    for file in sorted(folder.glob("*.md")):
        words: list[str] = []
        size = draw.choice(WORDS)
        for paragraph in file.read_text(encoding="utf-8", errors="replace").split("\n\n"):
            words += [paragraph]
            if len(" ".join(words).split()) > size:
                found.append("\n\n".join(words))
                words, size = [], draw.choice(WORDS)
    draw.shuffle(found)
    return found[:count]


def opened(way: Way, config: EmbeddingConfig) -> Callable[[list[str]], object]:
    if way.style == "side by side":
        return side_by_side(way, config)
    from fastembed import SparseTextEmbedding, TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    if way.kind == "sparse":
        path = str(built_folder(BUNDLED_SPARSE, config.cache_dir).path)
        name = "prithivida/Splade_PP_en_v1"
        sparse = SparseTextEmbedding(name, specific_model_path=path, threads=way.threads)
        return lambda texts: list(sparse.embed(texts, batch_size=way.batch))
    path = str(built_folder(BUNDLED_DENSE, config.cache_dir).path)
    TextEmbedding.add_custom_model(
        "bundled", PoolingType.MEAN, True, ModelSource(hf="bundled"), 384, model_file="model.onnx"
    )
    dense = TextEmbedding("bundled", specific_model_path=path, threads=way.threads)
    return lambda texts: list(dense.embed(texts, batch_size=way.batch))


def side_by_side(way: Way, config: EmbeddingConfig) -> Callable[[list[str]], object]:
    from ragcrawler.embedding.inference.fastembed_dense import load_dense
    from ragcrawler.embedding.inference.fastembed_sparse import load_sparse

    model, load = (BUNDLED_SPARSE, load_sparse) if way.kind == "sparse" else (BUNDLED_DENSE, load_dense)
    embedder = load(model.describe(), built_folder(model, config.cache_dir), config)
    limits = BatchLimits(way.batch, 10**9, way.threads, model.limit_tokens)
    return lambda texts: embed_sorted(embedder.embed_batch, texts, limits)


def work(way: Way, config: EmbeddingConfig, texts: list[str], pipe: Connection) -> None:
    embed = opened(way, config)
    embed(texts[:2])
    while pipe.recv():
        wall, cpu = time.perf_counter(), time.process_time()
        embed(texts)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        pipe.send((time.perf_counter() - wall, time.process_time() - cpu, peak))


def measure(ways: list[Way], config: EmbeddingConfig, texts: list[str], rounds: int) -> None:
    context = multiprocessing.get_context("spawn")
    pipes = {way: context.Pipe() for way in ways}
    processes = [
        context.Process(target=work, args=(way, config, texts, pipe[1])) for way, pipe in pipes.items()
    ]
    for process in processes:
        process.start()
    taken: dict[Way, list[tuple[float, float, float]]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, (pipe, _far) in pipes.items():
            pipe.send(True)
            taken[way].append(pipe.recv())
    for pipe, _far in pipes.values():
        pipe.send(False)
    for process in processes:
        process.join()
    report(taken)


def report(taken: dict[Way, list[tuple[float, float, float]]]) -> None:
    first: dict[str, tuple[float, float]] = {}
    for way, rows in taken.items():
        wall, cpu, peak = (statistics.median(column) for column in zip(*rows, strict=True))
        first.setdefault(way.kind, (wall, cpu))
        base_wall, base_cpu = first[way.kind]
        print(f"{way.label}: wall {wall / base_wall:5.2f}  CPU {cpu / base_cpu:5.2f}  peak {peak:6.0f} MB")


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--passages", type=int, default=64)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--cores", type=int, default=2)
    options = arguments.parse_args()
    texts = passages(options.folder, options.passages)
    print(f"{len(texts)} passages, {sum(len(text.split()) for text in texts)} words")
    for kind in ("dense", "sparse"):
        ways = [Way(kind, "side by side", 1, 1)]
        ways += [Way(kind, "side by side", options.cores, batch) for batch in (1, 2, 4)]
        ways += [
            Way(kind, "shared", options.cores, batch) for batch in (1, 4, 64)[: 3 if kind == "dense" else 2]
        ]
        measure(ways, EmbeddingConfig(), texts, options.rounds)


if __name__ == "__main__":
    main()
