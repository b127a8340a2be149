"""Judgements in the form of TREC: a query, something that is not read, a URL and a grade on each line."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from ragcrawler.retrieval.evaluation.gold_urls import GoldUrl
from ragcrawler.retrieval.evaluation.judged import Grades, QuerySetError

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
