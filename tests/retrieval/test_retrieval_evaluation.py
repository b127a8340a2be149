"""Metrics, intervals and tests: hand-made rankings with values worked out on paper."""

import math
import random

import pytest

from ragcrawler.retrieval.evaluation import Evaluation, JudgedQuery, compare, evaluate
from ragcrawler.retrieval.evaluation.evaluation_lines import (
    difference_lines,
    difference_record,
    evaluation_lines,
    evaluation_record,
    fusion_line,
)
from ragcrawler.retrieval.evaluation.metrics import METRICS, ndcg, recall, reciprocal_rank, success
from ragcrawler.retrieval.evaluation.resampling import estimate, randomisation_test
from ragcrawler.retrieval.search.search_options import RetrievalMode

TEN_OTHERS = [f"other {number}" for number in range(10)]


@pytest.mark.parametrize(
    ("ranking", "grades", "expected"),
    [
        (["a"], {"a": 1}, 1.0),
        (["x", "a"], {"a": 1}, 1 / math.log2(3)),
        (["a", "x", "b"], {"a": 1, "b": 1}, (1 + 1 / 2) / (1 + 1 / math.log2(3))),
        # Linear gain: a grade of 3 is worth three, not seven.
        (["b", "a"], {"a": 3, "b": 1}, (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))),
        (["x", "y"], {"a": 1}, 0.0),
        ([], {"a": 1}, 0.0),
        ([*TEN_OTHERS, "a"], {"a": 1}, 0.0),
        (["a"], {}, 0.0),
        (["a"], {"a": 0}, 0.0),
        # Of twelve relevant ones ten fit: the best ranking there could be is worth 1.
        ([str(n) for n in range(10)], {str(n): 1 for n in range(12)}, 1.0),
    ],
)
def test_ndcg_is_the_discounted_grades_over_the_best_there_could_be(
    ranking: list[str], grades: dict[str, int], expected: float
) -> None:
    assert ndcg(ranking, grades, 10) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("ranking", "found", "first", "any_of_two"),
    [
        (["a", "x"], 1 / 2, 1.0, 1.0),
        (["x", "b"], 1 / 2, 1 / 2, 1.0),
        (["x", "y", "b", "a"], 0.0, 0.0, 0.0),
        (["b", "a"], 1.0, 1.0, 1.0),
        ([], 0.0, 0.0, 0.0),
    ],
)
def test_recall_reciprocal_rank_and_success_look_at_the_best_k_only(
    ranking: list[str], found: float, first: float, any_of_two: float
) -> None:
    grades = {"a": 1, "b": 2, "never": 0}
    assert recall(ranking, grades, 2) == found
    assert reciprocal_rank(ranking, grades, 2) == first
    assert success(ranking, grades, 2) == any_of_two


def test_nothing_relevant_is_a_zero_and_no_error() -> None:
    assert [metric(["a"], {}) for metric in METRICS.values()] == [0.0] * len(METRICS)


def test_an_interval_holds_its_mean_and_is_the_same_on_every_run() -> None:
    values = [0.0, 1.0] * 50
    first = estimate(values)
    assert first == estimate(values)
    # The deviation of the mean of 100 coin flips is .05: 95 % of the means lie within .098.
    assert first.mean == 0.5
    assert first.low == pytest.approx(0.402, abs=0.02)
    assert first.high == pytest.approx(0.598, abs=0.02)


def test_equal_values_have_an_interval_without_width() -> None:
    same = estimate([0.25] * 8)
    assert (same.mean, same.low, same.high) == (0.25, 0.25, 0.25)


def test_more_queries_make_a_narrower_interval() -> None:
    few, many = estimate([0.0, 1.0] * 10), estimate([0.0, 1.0] * 500)
    assert many.high - many.low < (few.high - few.low) / 4


def test_no_values_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one value"):
        estimate([])
    with pytest.raises(ValueError, match="at least one difference"):
        randomisation_test([])


def test_the_randomisation_test_gives_the_share_of_sign_flips_that_are_as_great() -> None:
    # Of the 2**5 ways to give five equal differences signs, all plus and all minus are as great: 2 / 32.
    assert randomisation_test([0.1] * 5) == pytest.approx(2 / 32, abs=0.01)
    assert randomisation_test([0.1, -0.1]) == 1.0
    assert randomisation_test([0.0] * 4) == 1.0
    assert randomisation_test([0.1] * 30) < 0.001
    assert randomisation_test([-0.1] * 30) < 0.001


def test_noise_is_no_difference_and_a_shift_below_it_is_one() -> None:
    noise = random.Random(1)
    base = [noise.random() for _ in range(200)]
    assert compare(base, list(reversed(base))).probability > 0.2
    shifted = compare([value + 0.02 for value in base], base)
    assert shifted.estimate.mean == pytest.approx(0.02)
    assert shifted.probability < 0.001


def test_two_sets_of_other_sizes_are_not_compared() -> None:
    with pytest.raises(ValueError, match="zip"):
        compare([1.0], [1.0, 0.0])


QUERIES = [JudgedQuery("1", "one", {"a": 1}), JudgedQuery("2", "two", {"b": 2})]
FOUND: dict[RetrievalMode, dict[str, list[str]]] = {
    "hybrid": {"1": ["a"], "2": ["x", "b"]},
    "dense": {"1": ["x"], "2": ["b"]},
    "bm25": {"1": [], "2": []},
}


def evaluation() -> Evaluation:
    return evaluate(lambda query, mode: FOUND[mode][query.id], QUERIES, list(FOUND))


def test_every_query_is_asked_in_every_mode() -> None:
    values = evaluation().values
    assert values["hybrid"]["success@1"] == (1.0, 0.0)
    assert values["dense"]["success@1"] == (0.0, 1.0)
    assert values["bm25"] == dict.fromkeys(METRICS, (0.0, 0.0))


def test_the_best_single_ranking_is_never_the_fusion() -> None:
    assert evaluation().best_single("nDCG@10") == "dense"
    assert Evaluation({"hybrid": evaluation().values["hybrid"]}).best_single("nDCG@10") is None


def test_the_table_has_a_row_a_mode_with_means_and_intervals() -> None:
    heading, *rows = evaluation_lines(evaluation())
    assert heading.split() == list(METRICS)
    assert [row.split()[0] for row in rows] == ["hybrid", "dense", "bm25"]
    assert rows[0].split()[1:4] == [".815", "[.631,", "1.00]"]
    assert rows[2].split()[1:4] == [".000", "[.000,", ".000]"]


def test_what_the_fusion_adds_is_said_against_the_best_single_ranking() -> None:
    assert fusion_line(evaluation()).startswith(
        "hybrid against dense, the best single ranking: nDCG@10 +0.315 "
    )
    assert fusion_line(Evaluation({"dense": evaluation().values["dense"]})) == ""


def test_differences_are_of_the_modes_that_both_have() -> None:
    only_dense = Evaluation({"dense": evaluation().values["hybrid"]})
    lines = list(difference_lines(evaluation(), only_dense))
    assert len(lines) == len(METRICS)
    assert lines[0].split()[:3] == ["dense", "nDCG@10", "+0.315"]
    record = difference_record(evaluation(), only_dense)
    assert list(record) == ["dense"]
    assert record["dense"]["nDCG@10"]["mean"] == pytest.approx(0.3155, abs=0.001)
    assert 0 < record["dense"]["nDCG@10"]["probability"] <= 1


def test_the_record_has_means_and_intervals_by_mode_and_metric() -> None:
    record = evaluation_record(evaluation())
    assert set(record) == set(FOUND)
    assert record["dense"]["success@1"] == {"mean": 0.5, "low": 0.0, "high": 1.0}
