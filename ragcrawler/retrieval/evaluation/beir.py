"""Sets with a corpus of their own, in the layout of BEIR (https://github.com/beir-cellar/beir)."""

import gzip
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragcrawler.retrieval.evaluation.judged import JudgedQuery, QuerySetError

_LAYOUT = "corpus.jsonl (or .jsonl.gz), queries.jsonl, and qrels.tsv or qrels/test.tsv"


@dataclass(frozen=True, slots=True)
class JudgedCorpus:
    """Documents and the queries that were judged on them.

    Attributes:
        documents: title and text by document id.
        queries: those with at least one relevant document; their grades are by document id.
    """

    documents: Mapping[str, tuple[str, str]]
    queries: list[JudgedQuery]


def read_beir(folder: Path) -> JudgedCorpus:
    """The set in a folder.

    Raises:
        QuerySetError: a file is missing or is something else, or no query has a relevant document.
    """
    try:
        documents = {row["_id"]: (row.get("title") or "", row["text"]) for row in _rows(folder, "corpus")}
        grades = _grades(folder)
        queries = [
            JudgedQuery(row["_id"], row["text"], grades[row["_id"]])
            for row in _rows(folder, "queries")
            if row["_id"] in grades
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise QuerySetError(
            f"no set in the layout of BEIR in {str(folder)!r} ({error}): {_LAYOUT}"
        ) from error
    if not queries:
        raise QuerySetError(f"no query of {str(folder)!r} has a relevant document")
    return JudgedCorpus(documents, queries)


def _rows(folder: Path, name: str) -> list[dict[str, Any]]:
    plain = folder / f"{name}.jsonl"
    packed = folder / f"{name}.jsonl.gz"
    content = gzip.decompress(packed.read_bytes()) if packed.exists() else plain.read_bytes()
    return [json.loads(line) for line in content.splitlines() if line.strip()]


def _grades(folder: Path) -> dict[str, dict[str, int]]:
    """Relevant documents by query; the first line holds the names of the columns."""
    flat = folder / "qrels.tsv"
    lines = (
        (flat if flat.exists() else folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()
    )
    grades: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for line in lines[1:]:
        query, document, grade = line.split("\t")
        if int(grade) > 0:
            grades[query][document] = int(grade)
    return dict(grades)
