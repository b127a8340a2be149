"""One collection made of another, interrupted or not, while the first one changes."""

from dataclasses import replace
from pathlib import Path

import pytest

from ragcrawler.items import SparseVector, Vectors
from ragcrawler.stores import StoreConfig, StoreError, open_store
from ragcrawler.stores.transfer.chunks_with_vectors import chunks_with_vectors
from ragcrawler.stores.transfer.rebuild import (
    Rebuilding,
    copy_chunks,
    embed_ahead,
    finish,
    require_fit,
    require_own,
)


class Doubling:
    """Other models: the hash says so, and the vector is that of the content's length."""

    def __init__(self) -> None:
        self.embedded: list[str] = []
        self.broken_after = 10**9

    def renew(self, chunk):
        if len(chunk.content) > 500:
            raise StoreError("too long")
        return replace(chunk, embed_hash=f"new-{chunk.content}", token_count=7, vectors=None)

    def embed(self, chunks):
        if len(self.embedded) >= self.broken_after:
            raise StoreError("the models broke")
        self.embedded += [chunk.id for chunk in chunks]
        made = Vectors((1.0, float(len(chunks[0].content)), 0.0, 0.0), SparseVector((1,), (1.0,)))
        return [replace(chunk, vectors=made) for chunk in chunks]

    @property
    def rebuilding(self) -> Rebuilding:
        return Rebuilding(self.renew, self.embed)


@pytest.fixture(params=["edge", "server"])
def config(request, tmp_path: Path, collection_models, make_chunk) -> StoreConfig:
    """Of a collection with 150 chunks."""
    url = request.getfixturevalue("start_rest_double")().url if request.param == "server" else ""
    config = StoreConfig(url=url, folder=tmp_path, collection="old")
    with open_store(config) as store:
        store.create(collection_models)
        store.upsert([make_chunk(number) for number in range(150)])
    return config


@pytest.fixture
def target(config, collection_models):
    with open_store(replace(config, collection="new")) as store:
        store.create(replace(collection_models, dense="other-dense"))
        yield store


def ahead(config: StoreConfig, target, rebuilding: Rebuilding):
    with copy_chunks(lambda: open_store(config)) as chunks:
        require_fit(chunks, rebuilding)
        return embed_ahead(chunks, target, rebuilding)


def test_the_chunks_are_there_with_their_new_vectors(config, target) -> None:
    models = Doubling()
    done = ahead(config, target, models.rebuilding)
    assert (done.written, target.count()) == (150, 150)
    with open_store(config) as source:
        last = finish(source, target, models.rebuilding)
        expected = {chunk.id: models.renew(chunk) for chunk in source.scroll()}
    assert (last.written, last.updated, last.removed, last.unchanged) == (0, 0, 0, 150)
    assert {chunk.id: chunk for chunk in target.scroll()} == expected
    assert all(chunk.vectors.dense[1] > 0.9 for chunk in chunks_with_vectors(target))


def test_the_source_can_be_opened_while_the_models_work(config, target) -> None:
    models, seen = Doubling(), []

    def embed(chunks):
        with open_store(config) as searched:
            seen.append(searched.count())
        return models.embed(chunks)

    ahead(config, target, Rebuilding(models.renew, embed))
    assert seen == [150, 150, 150]


def test_what_changed_meanwhile_is_made_up_for(config, target, make_chunk) -> None:
    models = Doubling()
    ahead(config, target, models.rebuilding)
    models.embedded.clear()
    with open_store(config) as source:
        source.upsert([make_chunk(200), make_chunk(3, content="Edited."), make_chunk(4, position=999)])
        source.delete([make_chunk(5).id, make_chunk(6).id])
        done = finish(source, target, models.rebuilding)
        assert (done.written, done.updated, done.removed) == (2, 1, 2)
        assert {chunk.id for chunk in source.scroll()} == {chunk.id for chunk in target.scroll()}
    assert set(models.embedded) == {make_chunk(200).id, make_chunk(3).id}
    assert target.get([make_chunk(4).id])[0].position == 999


def test_what_was_embedded_before_a_failure_is_not_embedded_again(config, target) -> None:
    models = Doubling()
    models.broken_after = 100
    with pytest.raises(StoreError, match="broke"):
        ahead(config, target, models.rebuilding)
    kept = target.count()
    assert 0 < kept < 150
    models.broken_after = 10**9
    done = ahead(config, target, models.rebuilding)
    assert (done.written, done.unchanged) == (150 - kept, kept)
    assert len(models.embedded) == len(set(models.embedded)) == 150


def test_a_chunk_that_does_not_fit_is_found_before_anything_is_embedded(config, target, make_chunk) -> None:
    with open_store(config) as source:
        source.upsert([make_chunk(149, content="x" * 501)])
    models = Doubling()
    with pytest.raises(StoreError, match="too long"):
        ahead(config, target, models.rebuilding)
    assert models.embedded == []
    assert target.count() == 0


def test_without_other_models_the_vectors_are_taken_over(config, collection_models) -> None:
    with open_store(config) as source, open_store(replace(config, collection="copy")) as copy:
        copy.create(collection_models)
        done = finish(source, copy, None)
        assert (done.written, done.removed) == (150, 0)
        copies = {chunk.id: chunk for chunk in chunks_with_vectors(copy)}
        for chunk in chunks_with_vectors(source):
            assert replace(copies[chunk.id], vectors=None) == replace(chunk, vectors=None)
            # Scaled to length 1 once more by the engine behind the double, which costs the last digit.
            assert copies[chunk.id].vectors.dense == pytest.approx(chunk.vectors.dense, rel=1e-6)
            assert copies[chunk.id].vectors.sparse == chunk.vectors.sparse
        assert finish(source, copy, None).unchanged == 150


def test_a_collection_that_holds_anything_else_is_not_rebuilt_into(
    config, collection_models, make_chunk
) -> None:
    with open_store(config) as source, open_store(replace(config, collection="mine")) as mine:
        mine.create(collection_models)
        mine.upsert([make_chunk(1)])
        require_own(source, mine)
        mine.upsert([make_chunk(999)])
        with pytest.raises(StoreError, match=r"mine.*holds what .*old.* does not.*chunk_999"):
            require_own(source, mine)
