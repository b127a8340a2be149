"""Measure the search that the settings configure, on a set of judged queries."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ragcrawler.bootstrap.retriever import open_retriever
from ragcrawler.bootstrap.start_error import StartError
from ragcrawler.maintenance.judged_corpus import open_judged_corpus
from ragcrawler.retrieval.evaluation import Evaluation, JudgedQuery, QuerySetError, evaluate
from ragcrawler.retrieval.evaluation.beir import read_beir
from ragcrawler.retrieval.evaluation.collection_search import CollectionSearch, found_documents
from ragcrawler.retrieval.evaluation.drafting import drafted_queries
from ragcrawler.retrieval.evaluation.gold_urls import GoldUrl
from ragcrawler.retrieval.evaluation.judged import Grades
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
        is_pool: whether judgements were given beside the queries, so that what was not judged is of interest.
        unanswered: how many queries were left out, since nothing was judged relevant to them.
    """

    queries: Sequence[JudgedQuery]
    models: str
    missing: Sequence[str]
    evaluation: Evaluation
    is_pool: bool = False
    unanswered: int = 0


def measure(path: Path, qrels: Path | None = None, **settings: object) -> Measured:
    """Ask the queries of a file of the collection, or those of a folder of its own corpus, in every mode.

    Args:
        path: the file or the folder.
        qrels: judgements of the file's queries, see `read_qrels`.
        settings: by their names.

    Raises:
        QuerySetError: the queries cannot be read.
        StartError: a setting is wrong, or there is no such collection.
    """
    with open_evaluation(path, qrels, settings) as (search, queries):
        answered = [query for query in queries if query.relevant]
        return Measured(
            queries=answered,
            models=search.models,
            missing=search.missing(answered) if not path.is_dir() else (),
            evaluation=evaluate(search, answered, search.modes),
            is_pool=qrels is not None,
            unanswered=len(queries) - len(answered),
        )


def write_draft(path: Path, most: int, **settings: object) -> int:
    """Draft queries from the collection's headings into a new file, and tell how many.

    Raises:
        StartError: there is such a file, a setting is wrong, or there is no such collection.
        OSError: it cannot be written.
    """
    if path.exists():
        raise StartError(
            f"{path} is there already, perhaps with questions of yours: name another file, or move it away"
        )
    with open_retriever(**settings) as retriever:
        rows = list(drafted_queries(retriever.store.scroll(), most))
    with path.open("x", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return len(rows)


@contextmanager
def open_evaluation(
    path: Path, qrels: Path | None, settings: dict[str, object]
) -> Iterator[tuple[CollectionSearch, Sequence[JudgedQuery]]]:
    """Open what is searched, and read the queries; at least one has something relevant.

    Args:
        path: a file of queries to the collection, or a folder with a corpus of its own.
        qrels: judgements of the file's queries.
        settings: by their names.

    Raises:
        QuerySetError: the queries or the judgements cannot be read.
        StartError: a setting is wrong, or there is no such collection.
    """
    if path.is_dir():
        corpus = read_beir(path)
        with open_judged_corpus(corpus, **settings) as retriever:
            yield CollectionSearch(retriever, found_documents), corpus.queries
    else:
        judgements = read_qrels(qrels, canonical_url) if qrels else None
        queries = read_query_file(path, canonical_url, judgements)
        if not any(query.relevant for query in queries):
            raise QuerySetError(f"nothing is judged relevant to any query of {path.name}")
        with open_retriever(**settings) as retriever:
            yield CollectionSearch(retriever), queries


_FORM = "rotate-logs 0 https://docs.example.org/logs.html#rotation 2"


def read_qrels(path: Path, canonical: Callable[[str], str]) -> dict[str, Grades]:
    """The grades of what was judged, by query id; 0 is what was judged not relevant.

    Grades under 0 (spam, at TREC) become 0. Of two grades of one URL the higher counts.

    Args:
        path: UTF-8; four columns between white space.
        canonical: how a collection writes a URL, without fragment; raises ValueError for what is none.

    Raises:
        QuerySetError: there is no such file, a line is something else, or there is none.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise QuerySetError(f"cannot read the judgements of {str(path)!r}: {error}") from error
    judged: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            query, url, grade = _judgement(line, f"{path.name}, line {number}", canonical)
            judged[query][url] = max(grade, judged[query].get(url, 0))
    if not judged:
        raise QuerySetError(f"there are no judgements in {str(path)!r}: write lines like {_FORM}")
    return dict(judged)


def _judgement(line: str, where: str, canonical: Callable[[str], str]) -> tuple[str, str, int]:
    try:
        query, _, url, grade = line.split()
        return query, str(GoldUrl.of(url, canonical)), max(0, int(grade))
    except ValueError as error:
        raise QuerySetError(f"{where} is no judgement ({error}): write it like {_FORM}") from error
