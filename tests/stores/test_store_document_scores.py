"""Scores of whole documents for a question's words."""

import math
from collections.abc import Callable

import pytest

from ragcrawler.items import SemanticChunk, SparseVector
from ragcrawler.stores.ranking.document_scores import document_scores

LOGS, PROXIES, TAILS = 1, 2, 3


def weights(**words: float) -> SparseVector:
    numbers = {"logs": LOGS, "proxies": PROXIES, "tails": TAILS}
    return SparseVector(tuple(numbers[word] for word in words), tuple(words.values()))


ASKED = weights(logs=1, proxies=2)


@pytest.fixture
def scores(make_chunk: Callable[..., SemanticChunk]) -> Callable[..., dict[str, float]]:
    """Of chunks, each a document, its position, and its words."""

    def of(*chunks: tuple[str, int, SparseVector | None], asked: SparseVector = ASKED) -> dict[str, float]:
        made = [
            make_chunk(number, document_id=document, position=position)
            for number, (document, position, _) in enumerate(chunks)
        ]
        words = {each.id: own for each, (_, _, own) in zip(made, chunks, strict=True) if own}
        return document_scores(made, words, asked)

    return of


def test_the_score_is_the_formula(scores) -> None:
    found = scores(
        ("long", 0, weights(logs=0.5)),
        ("long", 9, weights(logs=0.25, proxies=0.5, tails=0.9)),
        ("short", 0, weights(proxies=0.75)),
        ("other", 2, weights(tails=0.5)),
    )
    logs, proxies = (math.log1p((4 - 2 + 0.5) / (2 + 0.5)) for _ in range(2))
    most = logs + 2 * proxies
    long = (logs * 0.75 / (0.75 + 0.2 + 1.0) + 2 * proxies * 0.5 / (0.5 + 0.2 + 1.0)) / most
    short = 2 * proxies * 0.75 / (0.75 + 0.2 + 0.1) / most
    assert found == pytest.approx({"long": long, "short": short, "other": 0.0})


def test_what_is_said_in_two_places_of_a_document_counts_together(scores) -> None:
    found = scores(
        ("one", 0, weights(logs=0.5)),
        ("one", 1, weights(proxies=0.5)),
        ("two", 0, weights(logs=0.5)),
        ("two", 1, weights(logs=0.5)),
        asked=weights(logs=1, proxies=1),
    )
    assert found["one"] > found["two"] > 0


def test_a_long_document_needs_more_of_a_word_than_a_short_one(scores) -> None:
    found = scores(("short", 3, weights(logs=0.5)), ("long", 80, weights(logs=0.5)))
    assert found["short"] > 2 * found["long"]


def test_a_rare_word_is_worth_more_than_one_that_all_have(scores) -> None:
    found = scores(
        ("common", 0, weights(logs=0.5)),
        ("common too", 0, weights(logs=0.5)),
        ("rare", 0, weights(proxies=0.5)),
        asked=weights(logs=1, proxies=1),
    )
    assert found["rare"] > found["common"] == found["common too"]


@pytest.mark.parametrize("asked", [ASKED, SparseVector((), ())])
def test_nothing_in_common_is_nothing(scores, asked: SparseVector) -> None:
    assert scores(("silent", 0, None), ("other", 1, weights(tails=1)), asked=asked) == {
        "silent": 0.0,
        "other": 0.0,
    }
