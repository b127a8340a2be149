"""Measure the search that the settings configure, on a set of judged queries."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ragcrawler.bootstrap.retriever import open_retriever
from ragcrawler.maintenance.judged_corpus import open_judged_corpus
from ragcrawler.retrieval.evaluation import Evaluation, JudgedQuery, evaluate
from ragcrawler.retrieval.evaluation.beir import read_beir
from ragcrawler.retrieval.evaluation.collection_search import CollectionSearch, found_documents
from ragcrawler.retrieval.evaluation.drafting import drafted_queries
from ragcrawler.retrieval.evaluation.query_file import read_query_file
from ragcrawler.urls.canonical import canonical_url


@dataclass(frozen=True, slots=True)
class Measured:
    """An evaluation and the query set behind it.

    Attributes:
        queries: in the order of their values.
        models: whose vectors were searched; quality is theirs as much as the search's.
        missing: gold pages that the collection does not hold.
        evaluation: the values.
    """

    queries: Sequence[JudgedQuery]
    models: str
    missing: Sequence[str]
    evaluation: Evaluation


def measure(path: Path, **settings: object) -> Measured:
    """Ask the queries of a file of the collection, or those of a folder of its own corpus, in every mode.

    Raises:
        QuerySetError: the queries cannot be read.
        StartError: a setting is wrong, or there is no such collection.
    """
    with _open(path, settings) as (search, queries):
        is_own = not path.is_dir()
        return Measured(
            queries=queries,
            models=search.models,
            missing=search.missing(queries) if is_own else (),
            evaluation=evaluate(search, queries, search.modes),
        )


def write_draft(path: Path, most: int, **settings: object) -> int:
    """Draft queries from the collection's headings into a new file, and tell how many.

    Raises:
        StartError: a setting is wrong, or there is no such collection.
        OSError: there is such a file, or it cannot be written.
    """
    with open_retriever(**settings) as retriever:
        rows = list(drafted_queries(retriever.store.scroll(), most))
    with path.open("x", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return len(rows)


@contextmanager
def _open(
    path: Path, settings: dict[str, object]
) -> Iterator[tuple[CollectionSearch, Sequence[JudgedQuery]]]:
    if path.is_dir():
        corpus = read_beir(path)
        with open_judged_corpus(corpus, **settings) as retriever:
            yield CollectionSearch(retriever, found_documents), corpus.queries
    else:
        queries = read_query_file(path, canonical_url)
        with open_retriever(**settings) as retriever:
            yield CollectionSearch(retriever), queries
