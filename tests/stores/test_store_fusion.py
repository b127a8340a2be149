import pytest

from ragcrawler.stores.ranking.fusion import RRF_K, reciprocal_rank_fusion


@pytest.mark.parametrize(
    ("rankings", "k", "expected"),
    [
        ([], 60, []),
        ([[], []], 60, []),
        ([["a", "b"]], 60, [("a", 1 / 61), ("b", 1 / 62)]),
        ([["a", "b"], ["b", "a"]], 60, [("a", 1 / 61 + 1 / 62), ("b", 1 / 61 + 1 / 62)]),
        ([["a", "b", "c"], ["c"]], 60, [("c", 1 / 63 + 1 / 61), ("a", 1 / 61), ("b", 1 / 62)]),
        ([["a", "b", "c"], ["c", "x"]], 2, [("c", 1 / 5 + 1 / 3), ("a", 1 / 3), ("b", 1 / 4), ("x", 1 / 4)]),
    ],
)
def test_scores_are_sums_of_reciprocal_ranks_from_one(rankings, k, expected) -> None:
    fused = reciprocal_rank_fusion(rankings, k=k)
    assert [key for key, _ in fused] == [key for key, _ in expected]
    assert [score for _, score in fused] == pytest.approx([score for _, score in expected])


def test_the_constant_is_the_papers() -> None:
    assert RRF_K == 60
    assert reciprocal_rank_fusion([["a"]]) == [("a", 1 / 61)]
