"""Names that mean collections: switched in one step, on disk and on a server."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from ragcrawler.stores import StoreConfig, StoreError, open_store
from ragcrawler.stores.aliases import open_aliases


@pytest.fixture(params=["edge", "server"])
def config(request, tmp_path: Path) -> StoreConfig:
    if request.param == "edge":
        return StoreConfig(folder=tmp_path)
    return StoreConfig(url=request.getfixturevalue("start_rest_double")().url)


@pytest.fixture
def make(config, collection_models, make_chunk):
    """Makes a collection of one chunk with this content; gives its name."""

    def made(name: str, content: str) -> str:
        with open_store(replace(config, collection=name)) as store:
            store.create(collection_models)
            store.upsert([make_chunk(1, content=content)])
        return name

    return made


def content(config: StoreConfig, name: str) -> list[str]:
    with open_store(replace(config, collection=name)) as store:
        return [chunk.content for chunk in store.scroll()]


def test_a_name_that_was_switched_means_the_other_collection(config, make) -> None:
    names = open_aliases(config)
    make("pages", "old")
    make("v2", "new")
    old = names.resolve("pages")
    names.switch("pages", "v2")
    assert content(config, "pages") == content(config, "v2") == ["new"]
    assert names.resolve("pages") == names.resolve("v2") != old
    names.switch("pages", old)
    assert content(config, "pages") == ["old"]


def test_a_name_can_be_switched_again_and_again(config, make) -> None:
    names = open_aliases(config)
    for name in ("pages", "v2", "v3"):
        make(name, name)
    names.switch("pages", "v2")
    names.switch("pages", "v3")
    assert content(config, "pages") == ["v3"]
    names.switch("v2", "pages")
    assert content(config, "v2") == ["v3"]


def test_what_is_written_under_a_name_goes_where_it_leads(
    config, make, collection_models, make_chunk
) -> None:
    make("pages", "old")
    make("v2", "new")
    open_aliases(config).switch("pages", "v2")
    with open_store(replace(config, collection="pages")) as store:
        store.create(collection_models)
        store.upsert([make_chunk(1, content="newer")])
    assert content(config, "v2") == ["newer"]


def test_a_store_that_is_open_stays_with_what_the_name_meant(config, make, make_chunk) -> None:
    make("pages", "old")
    make("v2", "new")
    with open_store(replace(config, collection="pages")) as store:
        open_aliases(config).switch("pages", "v2")
        store.upsert([make_chunk(1, content="late")])
        assert [chunk.content for chunk in store.scroll()] == ["late"]
    assert content(config, "pages") == ["new"]


def test_a_name_cannot_be_led_to_nothing(config, make) -> None:
    make("pages", "old")
    with pytest.raises(StoreError, match="no collection 'v2'"):
        open_aliases(config).switch("pages", "v2")
    assert content(config, "pages") == ["old"]


def test_the_old_collection_can_be_removed_after_a_switch(config, make) -> None:
    names = open_aliases(config)
    make("pages", "old")
    make("v2", "new")
    old = names.resolve("pages")
    names.switch("pages", "v2")
    names.drop(old)
    assert content(config, "pages") == ["new"]
    with open_store(replace(config, collection=old)) as store:
        assert (store.models() is None) == (old != "pages")


def test_a_collection_that_is_open_is_not_removed(tmp_path: Path, collection_models) -> None:
    config = StoreConfig(folder=tmp_path)
    with open_store(config) as store:
        store.create(collection_models)
        with pytest.raises(StoreError, match=f"in use by the process with id {os.getpid()}"):
            open_aliases(config).drop("ragcrawler")
        assert store.count() == 0


def test_a_name_that_means_what_is_gone_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / ".pages.alias").write_text("v2\n")
    with pytest.raises(
        StoreError, match=r"'pages' means the collection 'v2', which is not in.*--only-switch"
    ):
        open_store(StoreConfig(folder=tmp_path, collection="pages"))


@pytest.mark.parametrize("text", ["../elsewhere", "", "a\nb", "\u00e4"])
def test_an_alias_leads_out_of_the_folder_never(tmp_path: Path, text: str) -> None:
    (tmp_path.parent / "elsewhere").mkdir(exist_ok=True)
    (tmp_path / ".pages.alias").write_text(text, encoding="utf-8")
    with pytest.raises(StoreError, match="means the collection"):
        open_store(StoreConfig(folder=tmp_path, collection="pages"))


def test_a_killed_switch_leaves_the_old_meaning(tmp_path: Path, collection_models, make_chunk) -> None:
    config = StoreConfig(folder=tmp_path)
    for name in ("ragcrawler", "v2"):
        with open_store(replace(config, collection=name)) as store:
            store.create(collection_models)
            store.upsert([make_chunk(1, content=name)])
    # All that a switch does before its one rename.
    (tmp_path / ".ragcrawler.alias.new").write_text("v2\n")
    assert content(config, "ragcrawler") == ["ragcrawler"]
    open_aliases(config).switch("ragcrawler", "v2")
    assert content(config, "ragcrawler") == ["v2"]
    assert not (tmp_path / ".ragcrawler.alias.new").exists()


def test_a_name_that_is_switched_while_it_is_opened_is_looked_up_again(
    tmp_path: Path, collection_models, make_chunk
) -> None:
    from ragcrawler.stores.qdrant_embedded.location import EmbeddedLocation

    config = StoreConfig(folder=tmp_path)
    for name in ("ragcrawler", "v2"):
        with open_store(replace(config, collection=name)) as store:
            store.create(collection_models)
    place = EmbeddedLocation(tmp_path, "ragcrawler")
    open_aliases(config).switch("ragcrawler", "v2")
    place.acquire()
    try:
        assert place.path == tmp_path / "v2"
        with open_store(replace(config, collection="v2-not-held")) as free:
            assert free.models() is None
        with pytest.raises(StoreError, match="in use"):
            open_store(replace(config, collection="v2"))
    finally:
        place.release()


def test_a_collections_own_name_on_a_server_is_not_switched_and_says_what_to_do(
    start_rest_double, make_chunk
) -> None:
    from qdrant_client import models

    double = start_rest_double()
    vectors = {"dense": models.VectorParams(size=4, distance=models.Distance.COSINE)}
    double.engine.create_collection("pages", vectors)
    with pytest.raises(StoreError, match=r"'pages' is a collection's own name.*--only-switch"):
        open_aliases(StoreConfig(url=double.url)).require_switchable("pages")


def test_the_server_switches_in_one_request(start_rest_double, collection_models) -> None:
    double = start_rest_double()
    config = StoreConfig(url=double.url)
    for name in ("pages", "v2"):
        with open_store(replace(config, collection=name)) as store:
            store.create(collection_models)
    double.paths.clear()
    double.bodies.clear()
    open_aliases(config).switch("pages", "v2")
    [actions] = [
        body["actions"]
        for path, body in zip(double.paths, double.bodies, strict=True)
        if path == "POST /collections/aliases"
    ]
    assert [list(action) for action in actions] == [["delete_alias"], ["create_alias"]]
    assert actions[1]["create_alias"] == {"collection_name": "v2-1", "alias_name": "pages"}


def test_a_store_in_memory_has_no_names() -> None:
    with pytest.raises(StoreError, match="in-memory store"):
        open_aliases(StoreConfig(kind="memory"))
