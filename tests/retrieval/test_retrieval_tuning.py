"""Tuned weights: candidates rank as a search does, and weights are chosen without the queries they rank."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from ragcrawler.embedding.families.hashing_embedders import (
    HASHING_DENSE,
    HASHING_SPARSE,
    HashingDense,
    HashingSparse,
)
from ragcrawler.items import ChunkExtra, DenseWithTokens, SemanticChunk, Vectors
from ragcrawler.maintenance.tuning import tune_weights
from ragcrawler.retrieval import CollectionRetriever, SearchOptions
from ragcrawler.retrieval.evaluation.collection_search import CollectionSearch
from ragcrawler.retrieval.evaluation.judged import JudgedQuery
from ragcrawler.retrieval.evaluation.metrics import ndcg
from ragcrawler.retrieval.evaluation.tuning import GRID, Weights, tune, written_weights
from ragcrawler.retrieval.search.search_options import HYBRID_WEIGHTS, QUESTION_WEIGHTS
from ragcrawler.stores import CollectionModels
from ragcrawler.stores.memory.store import MemoryStore
from ragcrawler.stores.search_request import Fusion

SITE = "https://docs.example.org"
WORDS = [f"word{number}" for number in range(40)]


def chunk(number: int, text: str) -> SemanticChunk:
    """Every fourth is a listing; three are of one page."""
    page = f"{SITE}/{number // 3}"
    return SemanticChunk(
        id=str(UUID(int=number + 1)),
        chunk_id=str(number),
        document_id=page,
        content=f"{text} [{WORDS[number % 13]} {WORDS[number % 7]}]({SITE}/{number % 11})",
        content_hash="",
        token_count=1,
        embed_text=text,
        start=0,
        end=1,
        position=number % 3,
        source_url=page,
        chunk_link=f"{page}#{number % 3}",
        extra=ChunkExtra(kind="" if number % 4 else "index"),
        vectors=Vectors(
            HashingDense().embed_documents([text])[0],
            HashingSparse().embed_documents([text])[0],
            tokens(text)[: number % 9],
        ),
    )


def tokens(text: str) -> tuple[bytes, ...]:
    """A vector for each word, the same wherever it stands."""
    return tuple(random.Random(word).randbytes(HASHING_DENSE.dimensions) for word in text.split())


class DenseAndTokens(HashingDense):
    def embed_query(self, text: str) -> DenseWithTokens:
        return DenseWithTokens(super().embed_query(text), tokens(text))


@pytest.fixture(scope="module")
def retriever() -> Iterator[CollectionRetriever]:
    """Some hundred passages of random words: more than a search for a hit takes of each ranking."""
    made = random.Random(1)
    store = MemoryStore()
    models = CollectionModels(HASHING_DENSE.name, HASHING_DENSE.dimensions, HASHING_SPARSE.name)
    store.create(replace(models, tokens="v1"))
    store.upsert([chunk(n, " ".join(made.choices(WORDS, k=made.randint(5, 30)))) for n in range(150)])
    with CollectionRetriever(store, DenseAndTokens(), HashingSparse()) as opened:
        yield opened


@pytest.mark.parametrize("fusion", ["dbsf", "rrf"])
@pytest.mark.parametrize(
    "weights",
    [
        HYBRID_WEIGHTS,
        {"dense": 1.0},
        {"dense": 1.0, "sparse": 0.0, "bm25": 0.25, "page": 0.1},
        {"bm25": 1.0, "document": 1.4, "listing": 0.2},
        {"sparse": 0.5, "bm25": 2.0, "document": 0.35, "listing": 3.0, "page": 0.5},
        {"dense": 1.0, "links": 0.7},
        {"dense": 1.0, "tokens": 1.0},
        {"bm25": 0.4, "sparse": 0.2, "document": 0.5, "tokens": 1.5, "page": 0.05},
    ],
    ids=written_weights,
)
@pytest.mark.parametrize("text", ["word3 word7 word11", "word5 in 2.1 word6", "the"])
def test_the_quality_of_weights_is_that_of_a_search_with_them(
    retriever: CollectionRetriever, fusion: Fusion, weights: Weights, text: str
) -> None:
    made = random.Random(text)
    query = JudgedQuery("q", text, {f"{SITE}/{n // 3}#{n % 3}": made.randint(1, 9) for n in range(150)})
    options = SearchOptions(weights=weights, fusion=fusion)
    searched = CollectionRetriever(retriever.store, DenseAndTokens(), HashingSparse(), options=options)
    search = CollectionSearch(searched)
    quality = search.quality(query)(weights)
    assert quality == pytest.approx(ndcg(search(query, "hybrid"), query.grades, 10))
    assert quality > 0 or text == "the"


def test_each_ranking_is_asked_once_however_many_weights_are_tried(retriever: CollectionRetriever) -> None:
    asked = []

    class Counting(MemoryStore):
        def search(self, request):
            asked.append([ranking.leg for ranking in request.rankings])
            return retriever.store.search(request)

        def models(self):
            return retriever.store.models()

        def points(self, ids=None):
            asked.append(["tokens"])
            return retriever.store.points(ids)

    search = CollectionSearch(CollectionRetriever(Counting(), DenseAndTokens(), HashingSparse()))
    quality = search.quality(JudgedQuery("q", "word1 word2", {f"{SITE}/{n}": n + 1 for n in range(50)}))
    tried = [{"dense": 1.0, "bm25": weight, "tokens": weight} for weight in (0.0, 0.5, 5.0)]
    assert len({quality(each) for each in tried}) > 1
    assert sorted(asked) == [["bm25"], ["dense"], ["sparse"], ["tokens"]]


@pytest.mark.parametrize(
    ("text", "tokens", "question_weights", "expected"),
    [
        ("how do I rotate logs?", "v1", {"tokens": 1.0, "dense": 1.0}, True),
        ("rotate logs", "v1", {"tokens": 1.0, "dense": 1.0}, False),
        ("how do I rotate logs?", "", {"tokens": 1.0, "dense": 1.0}, False),
        ("how do I rotate logs?", "v1", None, False),
    ],
)
def test_a_question_to_token_vectors_is_by_weights_of_its_own(
    text: str, tokens: str, question_weights: Weights | None, expected: bool
) -> None:
    store = MemoryStore()
    models = CollectionModels(HASHING_DENSE.name, HASHING_DENSE.dimensions, HASHING_SPARSE.name)
    store.create(replace(models, tokens=tokens))
    options = SearchOptions(question_weights=question_weights)
    search = CollectionSearch(CollectionRetriever(store, HashingDense(), HashingSparse(), options=options))
    assert search.is_by_question_weights(JudgedQuery("q", text, {SITE: 1})) is expected
    assert search.weights == HYBRID_WEIGHTS
    assert search.question_weights == (question_weights or {})


def test_questions_tune_weights_of_their_own(
    retriever: CollectionRetriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    relevant = {f"{SITE}/1": 1}
    asked = [JudgedQuery(f"q{n}", f"how do I word{n} word3?", relevant) for n in range(31)]
    asked += [JudgedQuery(f"n{n}", f"word{n} word3", relevant) for n in range(7)]
    drafted = JudgedQuery("d", "how do I word1?", relevant, is_drafted=True)

    @contextmanager
    def opened(*_: object) -> Iterator[tuple[CollectionSearch, list[JudgedQuery]]]:
        yield CollectionSearch(retriever), [*asked, drafted]

    monkeypatch.setattr("ragcrawler.maintenance.tuning.open_evaluation", opened)
    names, questions = tune_weights(Path("queries.jsonl")).settings
    assert (names.setting, len(names.queries), names.tuning) == ("HYBRID_WEIGHTS", 7, None)
    assert (questions.setting, len(questions.queries)) == ("QUESTION_WEIGHTS", 31)
    assert questions.tuning is not None
    assert questions.tuning.today == QUESTION_WEIGHTS
    assert "tokens" in questions.tuning.best


def queries(count: int, sites: int = 1) -> list[JudgedQuery]:
    return [JudgedQuery(str(n), "query", {f"https://{n % sites}.example.org/{n}": 1}) for n in range(count)]


def helped_by_words(number: int) -> Callable[[Weights], float]:
    """Words help every query, some more than others."""
    return lambda weights: 0.5 + weights["bm25"] * (0.1 + number % 7 / 20)


def by_chance(number: int) -> Callable[[Weights], float]:
    return lambda weights: random.Random(f"{number} {written_weights(weights)}").random()


def test_weights_that_help_every_query_hold_on_the_parts_left_out() -> None:
    tuning = tune(queries(40), [helped_by_words(n) for n in range(40)], HYBRID_WEIGHTS)
    assert tuning.holds
    assert tuning.best["bm25"] == max(GRID["bm25"])
    assert tuning.gain.estimate.low > 0.05
    assert tuning.gain.probability < 0.001
    assert (tuning.folds, tuning.is_by_site) == (3, False)


def test_the_best_of_many_by_chance_does_not_hold() -> None:
    """On the queries that they were chosen on, the best of 289 random ones are better by far."""
    qualities = [by_chance(n) for n in range(40)]
    tuning = tune(queries(40), qualities, HYBRID_WEIGHTS)
    chosen = sum(quality(tuning.best) for quality in qualities) / 40
    assert chosen > sum(tuning.before) / 40 + 0.1
    assert not tuning.holds


def test_of_equally_good_weights_todays_stay() -> None:
    tuning = tune(queries(30), [lambda _: 0.7] * 30, HYBRID_WEIGHTS)
    assert tuning.best == HYBRID_WEIGHTS
    assert tuning.after == tuning.before
    assert not tuning.holds


def test_what_helps_one_site_alone_does_not_hold_on_the_others() -> None:
    """Each of three sites wants another weight of documents, and is worse by every other one."""
    wanted = GRID["document"][:3]
    qualities = [lambda weights, n=n: float(weights["document"] == wanted[n % 3]) for n in range(60)]
    tuning = tune(queries(60, sites=3), qualities, {**HYBRID_WEIGHTS, "document": 1.4})
    assert (tuning.folds, tuning.is_by_site) == (3, True)
    assert tuning.after == (0.0,) * 60
    assert not tuning.holds


def test_a_site_with_more_than_half_of_the_queries_is_no_part() -> None:
    mixed = queries(31, sites=2)
    tuning = tune(mixed, [lambda _: 0.7] * 31, HYBRID_WEIGHTS)
    assert (tuning.folds, tuning.is_by_site) == (3, False)


def test_too_few_queries_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 30"):
        tune(queries(29), [lambda _: 0.7] * 29, HYBRID_WEIGHTS)
