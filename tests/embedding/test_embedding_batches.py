"""Batches: how large, how many at a time, and in which order their vectors come back."""

import threading
from collections.abc import Iterator

import pytest

from ragcrawler.embedding.sorted_batches import SortedBatches


class Recorder:
    """Embeds a text as its length, and notes how it was called."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.most_at_once = 0
        self._running = 0
        self._lock = threading.Lock()

    def __call__(self, texts: list[str]) -> Iterator[int]:
        with self._lock:
            self.batches.append(texts)
            self._running += 1
            self.most_at_once = max(self.most_at_once, self._running)
        yield from map(len, texts)
        with self._lock:
            self._running -= 1


TEXTS = ["x" * length for length in (7, 1, 30, 2, 30, 4, 90, 0, 12)]


@pytest.mark.parametrize("batch_size", [1, 2, 4, 100])
@pytest.mark.parametrize("threads", [1, 3])
def test_vectors_come_in_the_order_of_the_texts_and_memory_is_bounded(batch_size: int, threads: int) -> None:
    recorder = Recorder()
    assert SortedBatches(recorder, batch_size, threads).embed(TEXTS) == [len(text) for text in TEXTS]
    assert max(map(len, recorder.batches)) <= batch_size
    assert recorder.most_at_once <= threads


def test_a_batch_holds_texts_of_like_length_and_the_longest_go_first() -> None:
    recorder = Recorder()
    SortedBatches(recorder, 3, 1).embed(TEXTS)
    assert [[len(text) for text in batch] for batch in recorder.batches] == [
        [90, 30, 30],
        [12, 7, 4],
        [2, 1, 0],
    ]


def test_a_batch_that_fails_fails_the_call() -> None:
    def refuse(texts: list[str]) -> list[int]:
        raise ValueError(f"{len(texts)} texts")

    with pytest.raises(ValueError, match="2 texts"):
        SortedBatches(refuse, 2, 2).embed(["a", "b"])
