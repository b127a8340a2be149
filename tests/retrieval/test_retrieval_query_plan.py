"""What is read in a query."""

import pytest

from ragcrawler.retrieval.search.query_plan import QueryPlan
from ragcrawler.retrieval.search.search_options import SearchOptions


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("How do I rotate the logs?", True),
        ("how to rotate logs", True),
        ("rotating logs, is that safe?", True),
        ("Why can't the daemon start", True),
        ("Doesn\u2019t it lock the file", True),
        ("I get an error after the update", True),
        ("the socket that we open for each worker", True),
        ("git-for-each-ref", False),
        ("what?", False),
        ("", False),
        ("Show the working tree status", False),
        ("Output information on each ref", False),
        ("os.path.join", False),
        ("autovacuum thresholds", False),
        ("isolation levels in SQL", False),
        ("howto for logs", False),
    ],
)
def test_questions_are_told_from_names_terms_and_descriptions(query: str, expected: bool) -> None:
    assert QueryPlan.of(query).is_question is expected


def test_the_weights_of_questions_hold_for_questions_to_collections_with_tokens() -> None:
    options = SearchOptions(
        weights={"dense": 1.0, "tokens": 0.5}, question_weights={"dense": 2.0, "tokens": 1.0}
    )
    asked, named = QueryPlan.of("How do I rotate logs?"), QueryPlan.of("logrotate")
    assert options.for_query(asked, has_tokens=True).weights == {"dense": 2.0, "tokens": 1.0}
    assert options.for_query(named, has_tokens=True).weights == {"dense": 1.0, "tokens": 0.5}
    assert options.for_query(asked, has_tokens=False).weights == {"dense": 1.0}
    plain = SearchOptions(weights={"dense": 1.0}, question_weights=None)
    assert plain.for_query(asked, has_tokens=True).weights == {"dense": 1.0}
    found = options.for_query(asked, has_tokens=True)
    assert found.legs("hybrid") == {"dense": 2.0}
    assert [found.weight("tokens", mode) for mode in ("hybrid", "dense", "bm25")] == [1.0, 0.0, 0.0]
