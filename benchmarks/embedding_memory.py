"""How much memory two models of the usual shape take at their full length.

    python benchmarks/embedding_memory.py [--threads 2] [--texts 16] [--precision int8] [--folder DIR]

The models have the shape of bge-base-en-v1.5 and of SPLADE++ (12 layers, 768 wide, 12 heads, 30,522 words,
512 tokens, 32-bit) and random weights: speed and memory depend on the shape alone. A child process makes them
once in DIR, another loads both and embeds texts of 512 tokens as a crawl does. Prints that process's peak
resident memory, and its CPU time a text.
"""

import argparse
import asyncio
import json
import multiprocessing
import resource
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.embedding.onnx.bert_models import encoder_model, masked_language_model
from ragcrawler.embedding.onnx.bundled import BUNDLED_DENSE
from ragcrawler.embedding.precision import PRECISIONS
from ragcrawler.items import SemanticChunk

CONFIG = {
    "hidden_size": 768,
    "intermediate_size": 3072,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "vocab_size": 30522,
    "max_position_embeddings": 512,
    "layer_norm_eps": 1e-12,
}
LIMIT_TOKENS = 512
MEGABYTE = 1024  # of ru_maxrss, which counts kibibytes


def random_weights(config: dict[str, Any]) -> dict[str, Any]:
    width, inner = config["hidden_size"], config["intermediate_size"]
    draw = np.random.default_rng(1)

    def dense(name: str, outputs: int, inputs: int) -> dict[str, Any]:
        weight = draw.normal(0, 0.02, (outputs, inputs)).astype(np.float32)
        return {f"{name}.weight": weight, f"{name}.bias": np.zeros(outputs, np.float32)}

    def norm(name: str) -> dict[str, Any]:
        return {f"{name}.weight": np.ones(width, np.float32), f"{name}.bias": np.zeros(width, np.float32)}

    made = norm("embeddings.LayerNorm")
    for name, rows in (("word", config["vocab_size"]), ("position", LIMIT_TOKENS), ("token_type", 2)):
        made[f"embeddings.{name}_embeddings.weight"] = draw.normal(0, 0.02, (rows, width)).astype(np.float32)
    for index in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{index}"
        for part in ("query", "key", "value"):
            made |= dense(f"{layer}.attention.self.{part}", width, width)
        made |= dense(f"{layer}.attention.output.dense", width, width)
        made |= norm(f"{layer}.attention.output.LayerNorm")
        made |= dense(f"{layer}.intermediate.dense", inner, width)
        made |= dense(f"{layer}.output.dense", width, inner) | norm(f"{layer}.output.LayerNorm")
    made |= dense("cls.predictions.transform.dense", width, width)
    made |= norm("cls.predictions.transform.LayerNorm")
    return made | {"cls.predictions.bias": np.full(config["vocab_size"], -1.0, np.float32)}


def build(folder: Path) -> None:
    """Both models in the layout of sentence-transformers, whole or not at all."""
    if folder.is_dir():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        made = Path(temporary) / "made"
        weights = random_weights(CONFIG)
        tokenizer = json.loads(BUNDLED_DENSE.file("tokenizer.json").path.read_text())
        for name, model in (("dense", encoder_model), ("sparse", masked_language_model)):
            (made / name / "1_Pooling").mkdir(parents=True)
            (made / name / "model.onnx").write_bytes(model(weights, CONFIG).SerializeToString())
            files = {
                "config.json": CONFIG,
                "tokenizer.json": tokenizer | {"truncation": None, "padding": None},
                "tokenizer_config.json": {"model_max_length": LIMIT_TOKENS, "pad_token": "[PAD]"},
                "special_tokens_map.json": {},
                "1_Pooling/config.json": {"pooling_mode_cls_token": True},
            }
            for file, content in files.items():
                (made / name / file).write_text(json.dumps(content))
        made.rename(folder)


def chunk(number: int) -> SemanticChunk:
    """A text over the models' limit: each is cut to 512 tokens."""
    text = f"{number} " + "rotate the logs every night and keep seven of them " * 60
    return SemanticChunk(
        id=str(number),
        chunk_id=str(number),
        document_id="d",
        content=text,
        content_hash="",
        token_count=LIMIT_TOKENS,
        embed_text=text,
        start=0,
        end=len(text),
        position=number,
    )


async def embed(embedders: Any, texts: int) -> None:
    from ragcrawler.run.indexing.chunk_embedder import ChunkEmbedder

    maker = ChunkEmbedder(embedders, lambda: True)
    made = await maker.embed([chunk(number) for number in range(texts)])
    assert all(hasattr(outcome, "dense") for outcome in made.outcomes), made.outcomes[0]
    await maker.close()


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE


def measure(folder: Path, threads: int, texts: int, precision: str) -> None:
    from ragcrawler.bootstrap.models.collection_embedders import open_collection_embedders

    settings = project_settings(
        EMBEDDING_MODEL=str(folder / "dense"),
        SPARSE_EMBEDDING_MODEL=str(folder / "sparse"),
        EMBEDDING_THREADS=threads,
        EMBEDDING_PRECISION=precision,
        HF_HUB_OFFLINE="1",
    )
    configuration = Configuration.from_settings(settings)
    before = peak()
    embedders = open_collection_embedders(replace(configuration, cache_bytes=0), None)
    loaded = peak()
    begin = time.process_time()
    asyncio.run(embed(embedders, texts))
    seconds = (time.process_time() - begin) / texts
    print(f"peak resident memory: {before:.0f} MB before, {loaded:.0f} MB loaded, {peak():.0f} MB after")
    print(f"{texts} texts of {LIMIT_TOKENS} tokens, both models, {threads} threads: {seconds:.2f} s CPU each")


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--texts", type=int, default=16)
    arguments.add_argument("--precision", choices=PRECISIONS, default="original")
    arguments.add_argument("--folder", type=Path, default=Path("output/benchmarks/bert-base"))
    options = arguments.parse_args()
    context = multiprocessing.get_context("spawn")
    for step in (
        context.Process(target=build, args=(options.folder,)),
        context.Process(
            target=measure, args=(options.folder, options.threads, options.texts, options.precision)
        ),
    ):
        step.start()
        step.join()
        if step.exitcode:
            raise SystemExit(step.exitcode)


if __name__ == "__main__":
    main()
