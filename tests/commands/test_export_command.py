"""`scrapy export` and `scrapy import`: a collection leaves as a file and comes back."""

import argparse
import importlib
import io
import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ragcrawler.catalogue import DocumentRecord, SqliteCatalogue
from ragcrawler.chunking.output.identity import CHUNKER_VERSION, PointIds, content_hash, embed_hash
from ragcrawler.embedding.families.hashing_embedders import (
    HASHING_DENSE,
    HASHING_SPARSE,
    HashingDense,
    HashingSparse,
)
from ragcrawler.items import Document, SemanticChunk, Vectors
from ragcrawler.maintenance.verification import IndexScan
from ragcrawler.stores import CollectionModels, StoreConfig, open_store
from ragcrawler.stores.transfer.chunks_with_vectors import chunks_with_vectors

MODELS = CollectionModels(
    HASHING_DENSE.name, HASHING_DENSE.dimensions, HASHING_SPARSE.name, chunker=CHUNKER_VERSION
)
OFFLINE = {
    "EMBEDDING_MODEL": HASHING_DENSE.name,
    "SPARSE_EMBEDDING_MODEL": HASHING_SPARSE.name,
    "QDRANT_URL": "",
    "HF_HUB_OFFLINE": "1",
}

Run = Callable[..., int]


CHUNKS = 70


def text(number: int) -> str:
    return f"Passage {number} tells of gates."


def point_id(number: int) -> str:
    return PointIds("d").next(content_hash(text(number))) if 0 <= number < CHUNKS else ""


def chunk(number: int) -> SemanticChunk:
    content = text(number)
    return SemanticChunk(
        id=point_id(number),
        chunk_id=f"chunk_{number}",
        document_id="d",
        source_url="https://docs.example/d",
        prev_chunk_id=point_id(number - 1),
        next_chunk_id=point_id(number + 1),
        content=content,
        content_hash=content_hash(content),
        token_count=6,
        embed_text=f"Guide\n\n{content}",
        start=0,
        end=1,
        position=number,
        embed_hash=embed_hash(f"Guide\n\n{content}", f"{HASHING_DENSE.name}+{HASHING_SPARSE.name}"),
        section_path=("Guide",),
    )


def embedded(chunk: SemanticChunk) -> SemanticChunk:
    vectors = Vectors(
        HashingDense().embed_query(chunk.embed_text), HashingSparse().embed_query(chunk.embed_text)
    )
    return replace(chunk, vectors=vectors)


@pytest.fixture
def output(tmp_path: Path) -> Path:
    with open_store(StoreConfig(folder=tmp_path / "qdrant")) as store:
        store.create(MODELS)
        store.upsert([embedded(chunk(number)) for number in range(CHUNKS)])
    return tmp_path


@pytest.fixture
def run() -> Run:
    """Runs a command in this process and gives its exit code."""

    def call(name: str, output: Path, *arguments: str, **settings: str) -> int:
        command = importlib.import_module(f"ragcrawler.commands.collections.{name}").Command()
        command.settings = Settings()
        for setting, value in {"OUTPUT_DIR": str(output), **OFFLINE, **settings}.items():
            command.settings.set(setting, value, "cmdline")
        parser = argparse.ArgumentParser(conflict_handler="resolve")
        command.add_options(parser)
        options, rest = parser.parse_known_args(arguments)
        command.run(rest, options)
        return command.exitcode

    return call


def stored(folder: Path, collection: str = "ragcrawler") -> dict[str, SemanticChunk]:
    with open_store(StoreConfig(folder=folder, collection=collection)) as store:
        return {chunk.id: chunk for chunk in chunks_with_vectors(store)}


def faults(output: Path, collection: str) -> list[str]:
    """The faults that `scrapy verify` would name."""
    with (
        open_store(StoreConfig(folder=output / "qdrant", collection=collection)) as store,
        SqliteCatalogue(output / "catalogue" / f"{collection}.sqlite") as catalogue,
    ):
        return [
            fault.kind
            for each in IndexScan(store, catalogue, MODELS).faulty_documents()
            for fault in each.faults
        ]


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_collection_goes_into_a_file_and_comes_back_whole(run, output, tmp_path, kind, capsys) -> None:
    file = tmp_path / f"chunks.{kind}"
    assert run("export", output, "--format", kind, "--vectors", "--output", str(file)) == 0
    assert capsys.readouterr().err == "70 chunks exported\n"
    assert run("import", output, str(file), QDRANT_COLLECTION="copy") == 0
    assert capsys.readouterr().out == "70 chunks of 1 documents imported\n"
    assert stored(output / "qdrant", "copy") == stored(output / "qdrant")
    assert faults(output, "copy") == []


def test_an_import_over_a_crawled_document_lets_the_next_crawl_read_it_again(run, output, tmp_path) -> None:
    file = tmp_path / "chunks.jsonl"
    assert run("export", output, "--vectors", "--output", str(file)) == 0
    before = DocumentRecord(
        "d", "https://docs.example/d", "docs.example", "page", "text", "prepared", first_seen="run-1"
    )
    with SqliteCatalogue(output / "catalogue" / "ragcrawler.sqlite") as catalogue:
        catalogue.put([before])
    assert run("import", output, str(file)) == 0
    assert faults(output, "ragcrawler") == []
    with SqliteCatalogue(output / "catalogue" / "ragcrawler.sqlite") as catalogue:
        entered = catalogue.get("d")
        assert (entered.page_hash, entered.first_seen, len(entered.chunks)) == ("", "run-1", CHUNKS)
        kept = replace(entered, page_hash="page")
        catalogue.put([kept])
    assert run("import", output, str(file)) == 0  # nothing new: the record stays as it is
    with SqliteCatalogue(output / "catalogue" / "ragcrawler.sqlite") as catalogue:
        assert catalogue.get("d") == kept


def test_without_vectors_the_import_embeds(run, output, tmp_path) -> None:
    file = tmp_path / "chunks.jsonl"
    assert run("export", output, "--output", str(file)) == 0
    assert "dense" not in file.read_text().splitlines()[1]
    assert run("import", output, str(file), QDRANT_COLLECTION="copy") == 0
    assert stored(output / "qdrant", "copy") == stored(output / "qdrant")


def test_standard_output_has_lines_for_programs_and_nothing_else(run, output, capfdbinary) -> None:
    assert run("export", output) == 0
    out, err = capfdbinary.readouterr()
    header, *records, end = map(json.loads, out.splitlines())
    assert header["models"]["dense"] == HASHING_DENSE.name
    assert {record["chunk_id"] for record in records} == {f"chunk_{n}" for n in range(70)}
    assert end == {"chunks": 70}
    assert err == b"70 chunks exported\n"


def test_a_reader_that_has_had_enough_is_no_error(output) -> None:
    settings = [f"-s{name}={value}" for name, value in {"OUTPUT_DIR": str(output), **OFFLINE}.items()]
    command = shlex.join([sys.executable, "-m", "scrapy", "export", "--vectors", *settings])
    finished = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command} | head -n1"], check=False, capture_output=True, text=True
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    assert json.loads(finished.stdout)["has_vectors"]


def test_an_export_is_imported_from_standard_input(run, output, tmp_path, monkeypatch) -> None:
    file = tmp_path / "chunks.jsonl"
    assert run("export", output, "--vectors", "--output", str(file)) == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(file.read_bytes()))))
    assert run("import", output, "-", QDRANT_COLLECTION="copy") == 0
    assert len(stored(output / "qdrant", "copy")) == 70


def test_vectors_of_other_models_are_refused_and_nothing_changes(run, output, tmp_path, capsys) -> None:
    with open_store(StoreConfig(folder=tmp_path / "other" / "qdrant")) as store:
        store.create(replace(MODELS, dense="other-dense"))
    file = tmp_path / "chunks.jsonl"
    run("export", output, "--vectors", "--output", str(file))
    capsys.readouterr()
    assert run("import", tmp_path / "other", str(file)) == 1
    assert "was made with other models: dense model 'other-dense'" in capsys.readouterr().err
    assert stored(tmp_path / "other" / "qdrant") == {}


def test_a_file_that_was_cut_off_says_where_and_can_be_imported_again(run, output, tmp_path, capsys) -> None:
    file, part = tmp_path / "chunks.jsonl", tmp_path / "part.jsonl"
    run("export", output, "--vectors", "--output", str(file))
    part.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:66]))
    capsys.readouterr()
    assert run("import", output, str(part), QDRANT_COLLECTION="copy") == 1
    assert "cut off after line 66, 65 chunks" in capsys.readouterr().err
    assert faults(output, "copy") == []
    assert run("import", output, str(file), QDRANT_COLLECTION="copy") == 0
    assert stored(output / "qdrant", "copy") == stored(output / "qdrant")


def test_an_export_that_fails_leaves_the_file_that_was_there(run, output, tmp_path, capsys) -> None:
    from qdrant_edge import UpdateOperation

    file = tmp_path / "chunks.jsonl"
    file.write_text("the last good one")
    with open_store(StoreConfig(folder=output / "qdrant")) as store:
        store._shard.update(UpdateOperation.clear_payload([chunk(3).id]))
    assert run("export", output, "--vectors", "--output", str(file)) == 1
    assert "is damaged" in capsys.readouterr().err
    assert file.read_text() == "the last good one"
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []


@pytest.mark.parametrize(
    ("name", "arguments", "complaint"),
    [
        ("export", (), "there is no collection"),
        ("export", ("--documents",), "there is no catalogue"),
        ("import", ("missing.jsonl",), "missing.jsonl cannot be used: No such file"),
        ("export", ("--output", "no/such/folder/x.jsonl"), "cannot be used"),
    ],
)
def test_what_cannot_be_done_is_one_line(run, tmp_path, name, arguments, complaint, capsys) -> None:
    if "--output" in arguments:
        with open_store(StoreConfig(folder=tmp_path / "qdrant")) as store:
            store.create(MODELS)
    assert run(name, tmp_path, *arguments) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert complaint in line


@pytest.mark.parametrize(
    ("name", "arguments"), [("import", ()), ("import", ("a", "b")), ("export", ("file",))]
)
def test_files_are_named_rightly(run, tmp_path, name, arguments) -> None:
    with pytest.raises(UsageError):
        run(name, tmp_path, *arguments)


def page(number: int) -> Document:
    url = f"https://docs.example/{number}"
    return Document(
        f"d{number}", url, f"Page {number}", "en", f"# Page {number}\n\nText.", f"h{number}", "2026"
    )


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """The output folder of a catalogue with three documents, of one of which only the chunks are known."""
    pages = [page(number) for number in range(3)]
    records = [
        DocumentRecord(each.id, each.url, "docs.example", "p", each.content_hash, "v") for each in pages
    ]
    with SqliteCatalogue(tmp_path / "catalogue" / "ragcrawler.sqlite") as catalogue:
        catalogue.put(records, {"d2": [replace(chunk(0), document_title="Page 2")]}, pages[:2])
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        (
            ("--documents", "--output", "pages"),
            {f"pages/docs.example/{number}.md" for number in range(3)} | {"pages/.ragcrawler-export"},
        ),
        (("--format", "markdown", "--output", "a.b"), {"a.b/.ragcrawler-export"}),
        (("--documents", "--output", "pages.jsonl"), {"pages.jsonl"}),
        (("--documents", "--format", "jsonl", "--output", "pages"), {"pages"}),
        (("--format", "llms", "--output", "."), {"llms.txt", "llms-full.txt"}),
    ],
)
def test_whole_documents_leave_in_the_form_that_is_asked_for(
    run, documents, monkeypatch, arguments, written, capsys
) -> None:
    place = documents / "place"
    place.mkdir()
    monkeypatch.chdir(place)
    assert run("export", documents, *arguments) == 0
    assert capsys.readouterr().err == "3 documents exported; put together from their chunks: 1\n"
    assert written <= {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}


def test_documents_on_standard_output_are_lines_and_a_crawl_may_hold_the_collection(
    run, documents, capfdbinary
) -> None:
    with open_store(StoreConfig(folder=documents / "qdrant")) as held:
        held.create(MODELS)
        assert run("export", documents, "--documents") == 0
    out, err = capfdbinary.readouterr()
    assert [json.loads(line)["title"] for line in out.splitlines()] == ["Page 0", "Page 1", "Page 2"]
    assert err.startswith(b"3 documents exported")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--documents", "--format", "markdown"),
        ("--format", "llms"),
        ("--documents", "--vectors"),
        ("--documents", "--format", "parquet", "--output", "x"),
    ],
)
def test_options_that_do_not_go_together_are_refused(run, documents, arguments) -> None:
    with pytest.raises(UsageError):
        run("export", documents, *arguments)


def test_a_folder_of_other_files_is_refused_in_one_line(run, documents, tmp_path, capsys) -> None:
    assert run("export", documents, "--documents", "--output", str(tmp_path)) == 1
    assert "holds files that no export has written" in capsys.readouterr().err


def test_scrapy_knows_the_command_by_its_name(scrapy) -> None:
    finished = scrapy.run("import", "no-such-file.jsonl")
    assert finished.returncode == 1
    assert finished.stderr == "Error: no-such-file.jsonl cannot be used: No such file or directory\n"
