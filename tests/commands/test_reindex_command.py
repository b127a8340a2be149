"""`scrapy reindex`: the collection made anew beside the old one, and its name led there."""

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ragcrawler.bootstrap.catalogue_place import catalogue_file
from ragcrawler.catalogue import ChunkRecord, DocumentRecord, SqliteCatalogue
from ragcrawler.chunking.output.identity import PointIds, content_hash, embed_hash
from ragcrawler.commands.collections.reindex import Command
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.embedding.families.hashing_embedders import HASHING_DENSE, HASHING_SPARSE, HashingDense
from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.stores import CollectionModels, StoreConfig, open_store
from ragcrawler.stores.transfer.chunks_with_vectors import chunks_with_vectors

OLD = CollectionModels("older/model", 4, "older/sparse", chunker="0")
SETTINGS = {
    "EMBEDDING_MODEL": HASHING_DENSE.name,
    "SPARSE_EMBEDDING_MODEL": HASHING_SPARSE.name,
    "QDRANT_URL": "",
    "HF_HUB_OFFLINE": "1",
}

Reindex = Callable[..., int]


def chunk(number: int, content: str = "") -> SemanticChunk:
    content = content or f"Passage {number} tells of gates."
    return SemanticChunk(
        id=str(UUID(int=number + 1)),
        chunk_id=f"chunk_{number}",
        document_id=f"d{number % 3}",
        source_url=f"https://docs.example/{number % 3}",
        content=content,
        content_hash="c",
        token_count=99,
        embed_text=f"Guide\n\n{content}",
        start=0,
        end=1,
        position=number,
        embed_hash=f"old-{number}",
        vectors=Vectors((1.0, 0.0, 0.0, float(number)), SparseVector((1,), (1.0,))),
    )


@pytest.fixture
def output(tmp_path: Path) -> Path:
    with open_store(StoreConfig(folder=tmp_path / "qdrant")) as store:
        store.create(OLD)
        store.upsert([chunk(number) for number in range(70)])
    return tmp_path


@pytest.fixture
def reindex() -> Reindex:
    """Runs the command in this process and gives its exit code."""

    def call(output: Path, *arguments: str, **settings: str) -> int:
        command = Command()
        command.settings = Settings()
        for name, value in {"OUTPUT_DIR": str(output), **SETTINGS, **settings}.items():
            command.settings.set(name, value, "cmdline")
        parser = argparse.ArgumentParser(conflict_handler="resolve")
        command.add_options(parser)
        options, rest = parser.parse_known_args(arguments)
        command.run(rest, options)
        return command.exitcode

    return call


def opened(output: Path, collection: str = "ragcrawler"):
    return open_store(StoreConfig(folder=output / "qdrant", collection=collection))


def test_the_name_means_the_collection_with_the_new_models(reindex, output, capsys) -> None:
    assert reindex(output, "--into", "v2", "--switch") == 0
    assert capsys.readouterr().out.splitlines() == [
        "v2: 70 chunks written, 0 updated, 0 there already, 0 removed",
        "ragcrawler now means v2",
        "the old collection is still there as ragcrawler",
    ]
    with opened(output) as store:
        assert store.models().dense == HASHING_DENSE.name
        chunks = {each.position: each for each in chunks_with_vectors(store)}
    assert len(chunks) == 70
    assert chunks[7].embed_hash == embed_hash(
        chunk(7).embed_text, f"{HASHING_DENSE.name}+{HASHING_SPARSE.name}"
    )
    assert chunks[7].token_count == 6
    expected = HashingDense().embed_query(chunk(7).embed_text)
    assert chunks[7].vectors.dense == pytest.approx(expected, abs=1e-6)


def test_without_switch_the_name_stays_and_doing_it_again_does_nothing(reindex, output, capsys) -> None:
    assert reindex(output, "--into", "v2") == 0
    with opened(output) as store:
        assert store.models() == OLD
    capsys.readouterr()
    assert reindex(output, "--into", "v2", "--switch") == 0
    assert "v2: 0 chunks written, 0 updated, 70 there already, 0 removed" in capsys.readouterr().out


def test_the_way_back_is_a_switch(reindex, output) -> None:
    assert reindex(output, "--into", "v2", "--switch") == 0
    assert reindex(output, "--into", "ragcrawler", "--only-switch") == 0
    with opened(output) as store:
        assert store.models() == OLD


def test_the_old_collection_goes_where_that_is_asked_for(reindex, output, capsys) -> None:
    assert reindex(output, "--into", "v2", "--switch", "--drop-old") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "ragcrawler removed"
    assert not (output / "qdrant" / "ragcrawler").exists()
    with opened(output) as store:
        assert store.count() == 70


def test_the_same_models_copy_the_vectors(reindex, output) -> None:
    assert reindex(output, "--into", "v2") == 0
    assert reindex(output, "--into", "v3", QDRANT_COLLECTION="v2", QDRANT_QUANTIZATION="scalar") == 0
    with opened(output, "v2") as left, opened(output, "v3") as right:
        assert {c.id: c for c in chunks_with_vectors(left)} == {c.id: c for c in chunks_with_vectors(right)}


def test_the_record_of_the_documents_goes_with_the_name(reindex, output) -> None:
    configuration = Configuration.from_settings(project_settings(OUTPUT_DIR=str(output), **SETTINGS))
    with opened(output) as store, SqliteCatalogue(catalogue_file(configuration)) as catalogue:
        for name in ("d0", "d1", "d2"):
            marks = tuple(ChunkRecord.of(each) for each in store.scroll(filters={"document_id": name}))
            url = f"https://docs.example/{name}"
            catalogue.put(
                [DocumentRecord(name, url, "docs.example", "page", "content", "prepared", chunks=marks)]
            )
    assert reindex(output, "--into", "v2", "--switch") == 0
    with opened(output) as store, SqliteCatalogue(catalogue_file(configuration)) as catalogue:
        records = list(catalogue.documents())
        known = {mark.id: mark for record in records for mark in record.chunks}
        stored = {each.id: each for each in store.scroll()}
        assert known.keys() == stored.keys()
        assert all(mark.describes(stored[each]) and mark.checksum for each, mark in known.items())
    assert [record.page_hash for record in records] == ["page"] * 3


def test_a_switch_to_what_has_no_record_forgets_the_old_one_and_makes_its_own(reindex, output) -> None:
    configuration = Configuration.from_settings(project_settings(OUTPUT_DIR=str(output), **SETTINGS))
    with SqliteCatalogue(catalogue_file(configuration)) as catalogue:
        catalogue.put(
            [DocumentRecord("d0", "https://docs.example/0", "docs.example", "page", "content", "p")]
        )
    digest = content_hash("Passage 1 tells of gates.")
    imported = replace(chunk(1), content_hash=digest, id=PointIds("d1").next(digest))
    with opened(output, "imported") as store:
        store.create(OLD)
        store.upsert([imported])
    assert reindex(output, "--into", "imported", "--only-switch") == 0
    with SqliteCatalogue(catalogue_file(configuration)) as catalogue:
        (record,) = catalogue.documents()
    assert (record.document_id, record.url, record.page_hash) == ("d1", "https://docs.example/1", "")
    (mark,) = record.chunks
    assert mark.describes(imported)
    assert mark.checksum


def test_a_chunk_too_long_for_the_models_is_named_with_the_way_out(reindex, output, capsys) -> None:
    with opened(output) as store:
        store.upsert([chunk(70, "word " * 600)])
    assert reindex(output, "--into", "v2", "--switch") == 1
    said = capsys.readouterr().err
    assert "'chunk_70' of 'https://docs.example/1' has 601 tokens" in said
    assert "--only-switch" in said
    with opened(output) as store, opened(output, "v2") as new:
        assert store.models() == OLD
        assert new.models() is None


def test_a_name_in_use_is_refused(reindex, output, capsys) -> None:
    with opened(output, "mine") as store:
        store.create(replace(OLD, dense=HASHING_DENSE.name, dense_dimensions=384, sparse=HASHING_SPARSE.name))
        vectors = Vectors([1.0] * 384, SparseVector((1,), (1.0,)))
        store.upsert([replace(chunk(500), vectors=vectors)])
    assert reindex(output, "--into", "mine", "--switch") == 1
    assert "holds what" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--into", "ragcrawler"), "'ragcrawler' is the collection that 'ragcrawler' means already"),
        (("--into", "ragcrawler", "--only-switch"), "means 'ragcrawler' already"),
        (("--into", "nowhere", "--only-switch"), "nothing in"),
        (("--into", "a/b"), "cannot name a collection"),
    ],
)
def test_a_name_that_cannot_be_is_refused(reindex, output, arguments, complaint, capsys) -> None:
    assert reindex(output, *arguments) == 1
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [(), ("--switch",), ("--into", "v2", "--drop-old"), ("--into", "v2", "x")]
)
def test_options_that_contradict_each_other_are_a_mistake_of_use(reindex, tmp_path, arguments) -> None:
    with pytest.raises(UsageError):
        reindex(tmp_path, *arguments)


def test_without_a_collection_there_is_nothing_to_rebuild(reindex, tmp_path, capsys) -> None:
    assert reindex(tmp_path, "--into", "v2") == 1
    assert "no collection" in capsys.readouterr().err
