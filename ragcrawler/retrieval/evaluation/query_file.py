"""Queries with gold URLs, one JSON object a line."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from ragcrawler.retrieval.evaluation.gold_urls import GoldUrl
from ragcrawler.retrieval.evaluation.judged import Grades, JudgedQuery, QuerySetError

_FORM = '{"query": "how do I rotate logs?", "gold": ["https://docs.example.org/logs.html#rotation"]}'


def read_query_file(
    path: Path, canonical: Callable[[str], str], judgements: Mapping[str, Grades] | None = None
) -> list[JudgedQuery]:
    """The queries of a file, in its order.

    A line has `query`, `gold` (a list of URLs, with or without a fragment, or an object of URLs and grades
    from 1) and perhaps `id` and `drafted`; empty lines are left out.

    Args:
        path: UTF-8.
        canonical: how a collection writes a URL, without fragment; raises ValueError for what is none.
        judgements: grades by query id, which are added to those of the line and win over them; with any, a
            line needs no `gold`.

    Raises:
        QuerySetError: there is no such file, a line is something else, there is no query, or there are
            judgements and none is of these queries.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise QuerySetError(f"cannot read the queries of {str(path)!r}: {error}") from error
    queries = [
        _query(line, f"{path.name}, line {number}", str(number), canonical, judgements)
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]
    _require_distinct((query.id for query in queries), path.name)
    if not queries:
        raise QuerySetError(f"there are no queries in {str(path)!r}: write lines like {_FORM}")
    if judgements is not None and judgements.keys().isdisjoint(query.id for query in queries):
        raise QuerySetError(
            f"no judgement is of a query of {path.name}: give its lines the ids of the judgements"
        )
    return queries


def _query(
    line: str,
    where: str,
    number: str,
    canonical: Callable[[str], str],
    judgements: Mapping[str, Grades] | None,
) -> JudgedQuery:
    try:
        row = json.loads(line)
        text = row["query"]
        grades = _grades(row["gold"] if judgements is None else row.get("gold", []), canonical)
        query_id = str(row.get("id", number))
        _require_content(text, is_judged=bool(grades) or judgements is not None)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise QuerySetError(f"{where} is no query ({error}): write it like {_FORM}") from error
    grades |= (judgements or {}).get(query_id, {})
    return JudgedQuery(query_id, text, grades, is_drafted=bool(row.get("drafted", False)))


def _require_content(text: object, *, is_judged: bool) -> None:
    if not isinstance(text, str) or not text.strip() or not is_judged:
        raise ValueError("a query and its gold must not be empty")


def _grades(gold: Any, canonical: Callable[[str], str]) -> dict[str, int]:
    graded = dict.fromkeys(gold, 1) if isinstance(gold, list) else dict(gold)
    for url, grade in graded.items():
        if not isinstance(grade, int) or grade < 1:
            raise ValueError(f"the grade of {url} is {grade!r}, it must be a whole number from 1")
    return {str(GoldUrl.of(url, canonical)): grade for url, grade in graded.items()}


def _require_distinct(ids: Iterable[str], name: str) -> None:
    seen: set[str] = set()
    for each in ids:
        if each in seen:
            raise QuerySetError(f"two queries of {name} have the id {each!r}: give each its own")
        seen.add(each)
