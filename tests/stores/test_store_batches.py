import pytest

from ragcrawler.stores.batches import batches


@pytest.mark.parametrize(
    ("items", "most", "most_size", "expected"),
    [
        ([], 2, 9, []),
        ([1, 1, 1], 2, 9, [[1, 1], [1]]),
        ([1, 1], 2, 9, [[1, 1]]),
        ([5, 4, 1], 9, 9, [[5, 4], [1]]),
        ([99, 1, 99, 99], 9, 9, [[99], [1], [99], [99]]),
    ],
)
def test_a_batch_is_bounded_in_items_and_in_size(items, most, most_size, expected) -> None:
    assert list(batches(items, most, size=lambda item: item, most_size=most_size)) == expected


def test_without_a_size_only_the_number_counts() -> None:
    assert list(batches("abcde", 2)) == [["a", "b"], ["c", "d"], ["e"]]
