"""How well pairs of models find what was judged relevant, and what that costs.

    python benchmarks/embedding_quality.py SET [--documents 500] [--pair DENSE SPARSE] [--pair ...]

SET is a folder in the layout of BEIR: corpus.jsonl or corpus.jsonl.gz, queries.jsonl, and qrels.tsv (or
qrels/test.tsv). Prints nDCG@10 of each pair's dense model, sparse model and of both fused by RRF with k = 60,
and the CPU time of embedding the corpus as a ratio to the first pair's. `--documents` keeps the judged ones
first, and the questions that have a relevant one among them. The pairs are the bundled models in 32 and in 8
bits unless others are given.
"""

import argparse
import gzip
import json
import math
import statistics
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import open_embedders
from ragcrawler.embedding.selection import select_models
from ragcrawler.items import SparseVector

BUNDLED = ("bundled/all-MiniLM-L6-v2", "bundled/splade-tiny")
PAIRS = (BUNDLED, tuple(f"{name}-int8" for name in BUNDLED))
DEPTH, RRF_K = 100, 60


@dataclass(frozen=True)
class JudgedSet:
    documents: Mapping[str, str]
    questions: Mapping[str, str]
    grades: Mapping[str, Mapping[str, int]]


def read_set(folder: Path, most_documents: int) -> JudgedSet:
    plain = folder / "corpus.jsonl"
    content = (
        plain.read_bytes() if plain.exists() else gzip.decompress((folder / "corpus.jsonl.gz").read_bytes())
    )
    rows = map(json.loads, content.splitlines())
    corpus = {row["_id"]: f"{row.get('title', '')}\n{row['text']}" for row in rows}
    judged: dict[str, dict[str, int]] = defaultdict(dict)
    flat = folder / "qrels.tsv"
    for line in (flat if flat.exists() else folder / "qrels/test.tsv").read_text().splitlines()[1:]:
        question, document, grade = line.split("\t")
        judged[question][document] = int(grade)
    relevant = {document for grades in judged.values() for document, grade in grades.items() if grade > 0}
    kept = sorted(corpus, key=lambda document: document not in relevant)[: most_documents or None]
    documents = {document: corpus[document] for document in kept}
    grades = {
        question: {d: g for d, g in found.items() if d in documents} for question, found in judged.items()
    }
    grades = {question: found for question, found in grades.items() if max(found.values(), default=0) > 0}
    rows = map(json.loads, (folder / "queries.jsonl").read_text().splitlines())
    questions = {row["_id"]: row["text"] for row in rows if row["_id"] in grades}
    return JudgedSet(documents, questions, grades)


def ndcg(ranking: Sequence[str], grades: Mapping[str, int]) -> float:
    gained = sum(grades.get(document, 0) / math.log2(rank + 2) for rank, document in enumerate(ranking[:10]))
    best = sorted(grades.values(), reverse=True)[:10]
    return gained / sum(grade / math.log2(rank + 2) for rank, grade in enumerate(best))


def fused(rankings: Sequence[Sequence[str]]) -> list[str]:
    scores: dict[str, float] = defaultdict(float)
    for ranking in rankings:
        for rank, document in enumerate(ranking):
            scores[document] += 1 / (RRF_K + rank + 1)
    return sorted(scores, key=lambda document: -scores[document])


def matrix(vectors: Sequence[SparseVector], columns: Mapping[int, int]) -> NDArray[np.float32]:
    rows = np.zeros((len(vectors), len(columns)), np.float32)
    for row, vector in zip(rows, vectors, strict=True):
        for index, value in zip(vector.indices, vector.values, strict=True):
            if index in columns:
                row[columns[index]] = value
    return rows


def ranked(
    documents: NDArray[np.float32], questions: NDArray[np.float32], names: Sequence[str]
) -> list[list[str]]:
    best = np.argsort(-(questions @ documents.T), axis=1, kind="stable")[:, :DEPTH]
    return [[names[index] for index in row] for row in best]


def run(pair: tuple[str, str], judged: JudgedSet, config: EmbeddingConfig) -> tuple[list[float], float]:
    """The three scores of a pair, and the CPU seconds of embedding the documents."""
    embedders = open_embedders(select_models(*pair, None, config), config)
    texts, questions = list(judged.documents.values()), list(judged.questions.values())
    begin = time.process_time()
    dense, sparse = embedders.dense.embed_documents(texts), embedders.sparse.embed_documents(texts)
    seconds = time.process_time() - begin
    asked = [embedders.sparse.embed_query(text) for text in questions]
    asked_for = sorted({index for vector in asked for index in vector.indices})
    columns = {index: column for column, index in enumerate(asked_for)}
    names = list(judged.documents)
    by_dense = ranked(
        np.array(dense, np.float32),
        np.array([embedders.dense.embed_query(text) for text in questions], np.float32),
        names,
    )
    by_sparse = ranked(matrix(sparse, columns), matrix(asked, columns), names)
    by_both = [fused(two) for two in zip(by_dense, by_sparse, strict=True)]
    grades = [judged.grades[question] for question in judged.questions]
    scores = [statistics.fmean(map(ndcg, rankings, grades)) for rankings in (by_dense, by_sparse, by_both)]
    return scores, seconds


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--documents", type=int, default=0, help="at most so many; 0 is all")
    arguments.add_argument("--pair", nargs=2, action="append", metavar=("DENSE", "SPARSE"))
    options = arguments.parse_args()
    judged = read_set(options.folder, options.documents)
    print(f"{len(judged.documents)} documents, {len(judged.questions)} questions")
    first = 0.0
    for pair in options.pair or PAIRS:
        scores, seconds = run(tuple(pair), judged, replace(EmbeddingConfig(), threads=1))
        first = first or seconds
        shown = "  ".join(
            f"{name} {score:.3f}" for name, score in zip(("dense", "sparse", "fused"), scores, strict=True)
        )
        print(f"{' + '.join(pair)}: nDCG@10 {shown}  CPU {seconds / first:.2f}")


if __name__ == "__main__":
    main()
