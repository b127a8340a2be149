"""Batches: how large, how many at a time, and in which order their vectors come back."""

import threading

import pytest

from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.embedding.inference.sorted_batches import embed_sorted


class Recorder:
    """Embeds a text as its length, and notes how it was called."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.most_at_once = 0
        self._running = 0
        self._lock = threading.Lock()

    def __call__(self, texts: list[str]) -> list[int]:
        with self._lock:
            self.batches.append(texts)
            self._running += 1
            self.most_at_once = max(self.most_at_once, self._running)
        lengths = list(map(len, texts))
        with self._lock:
            self._running -= 1
        return lengths


TEXTS = ["x" * length for length in (7, 1, 30, 2, 30, 4, 90, 0, 12)]


def limits(texts: int = 100, tokens: int = 10_000, runs: int = 1) -> BatchLimits:
    return BatchLimits(texts, tokens, runs, limit_tokens=32)


@pytest.mark.parametrize("most_texts", [1, 2, 4, 100])
@pytest.mark.parametrize("runs", [1, 3])
def test_vectors_come_in_the_order_of_the_texts_and_memory_is_bounded(most_texts: int, runs: int) -> None:
    recorder = Recorder()
    assert embed_sorted(recorder, TEXTS, limits(most_texts, runs=runs)) == [len(text) for text in TEXTS]
    assert max(map(len, recorder.batches)) <= most_texts
    assert recorder.most_at_once <= runs


def test_a_batch_holds_texts_of_like_length_and_the_longest_go_first() -> None:
    recorder = Recorder()
    embed_sorted(recorder, TEXTS, limits(3))
    assert [[len(text) for text in batch] for batch in recorder.batches] == [
        [90, 30, 30],
        [12, 7, 4],
        [2, 1, 0],
    ]


def test_a_batch_with_its_padding_stays_within_the_tokens_and_a_longer_text_runs_alone() -> None:
    recorder, bounds = Recorder(), limits(tokens=24)
    embed_sorted(recorder, TEXTS, bounds)
    sizes = [(len(batch), bounds.cost(batch[0])) for batch in recorder.batches]
    assert sizes == [(1, 32), (2, 12), (4, 6), (2, 2)]


@pytest.mark.parametrize(
    ("text", "cost"), [("", 2), ("word " * 3, 7), ("名前", 4), ("x" * 1000, 32), ("\ud800", 3)]
)
def test_a_text_costs_about_its_tokens_and_never_more_than_a_model_reads(text: str, cost: int) -> None:
    assert limits().cost(text) == cost


def test_a_batch_that_fails_fails_the_call() -> None:
    def refuse(texts: list[str]) -> list[int]:
        raise ValueError(f"{len(texts)} texts")

    with pytest.raises(ValueError, match="2 texts"):
        embed_sorted(refuse, ["a", "b"], limits())
