"""`scrapy search`: ranked hits on stdout, everything else in one line on stderr."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ragcrawler.commands.search import Command
from ragcrawler.embedding.hashing import HASHING_DENSE, HASHING_SPARSE, HashingDense, HashingSparse
from ragcrawler.items import SemanticChunk, Vectors
from ragcrawler.stores import CollectionModels, StoreConfig, open_store

PASSAGES = [
    ("Rotate the logs with logrotate.", "text"),
    ("Backups of the database run at night.", "text"),
    ("```\nlogrotate -f logs\n```", "code"),
]
MODELS = CollectionModels(HASHING_DENSE.name, HASHING_DENSE.dimensions, HASHING_SPARSE.name)

Search = Callable[..., int]


def store_config(output: Path) -> StoreConfig:
    return StoreConfig(folder=output / "qdrant", collection="ragcrawler")


def fill(output: Path, *passages: tuple[str, str]) -> None:
    dense, sparse = HashingDense(), HashingSparse()
    with open_store(store_config(output)) as store:
        store.create(MODELS)
        store.upsert(
            [
                SemanticChunk(
                    id=str(UUID(int=number + 1)),
                    chunk_id=f"chunk_{number}",
                    document_id="d",
                    document_title="Handbook",
                    content=content,
                    content_hash="",
                    token_count=1,
                    embed_text=content,
                    start=0,
                    end=1,
                    position=number,
                    chunk_type=kind,
                    section_path=("Guide", f"Part {number}"),
                    source_url="https://docs.example/guide",
                    chunk_link=f"https://docs.example/guide#part-{number}",
                    vectors=Vectors(dense.embed_query(content), sparse.embed_query(content)),
                )
                for number, (content, kind) in enumerate(passages)
            ]
        )


@pytest.fixture
def output(tmp_path: Path) -> Path:
    fill(tmp_path, *PASSAGES)
    return tmp_path


@pytest.fixture
def search() -> Search:
    """Runs the command in this process and gives its exit code."""

    def run(output: Path, *arguments: str) -> int:
        command = Command()
        command.settings = Settings()
        for name, value in (("OUTPUT_DIR", str(output)), ("QDRANT_URL", "")):
            command.settings.set(name, value, "cmdline")
        parser = argparse.ArgumentParser(conflict_handler="resolve")
        command.add_options(parser)
        options, words = parser.parse_known_args(arguments)
        command.process_options(words, options)
        command.run(words, options)
        return command.exitcode

    return run


def test_hits_are_shown_best_first_with_path_and_link(search: Search, output: Path, capsys) -> None:
    assert search(output, "rotate", "the", "logs") == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("1. Handbook  0.0")
    assert (
        "\n   Guide > Part 0\n   https://docs.example/guide#part-0\n   Rotate the logs with logrotate.\n"
        in shown.out
    )
    assert shown.err == ""


def test_json_gives_one_line_a_hit_without_vectors(search: Search, output: Path, capsys) -> None:
    assert search(output, "rotate the logs", "--json", "--limit", "2") == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["rank"] for record in records] == [1, 2]
    assert records[0]["score"] >= records[1]["score"]
    assert records[0]["content"] == "Rotate the logs with logrotate."
    assert records[0]["section_path"] == ["Guide", "Part 0"]
    assert records[0]["chunk_link"] == "https://docs.example/guide#part-0"
    assert "vectors" not in records[0]


def test_json_holds_no_character_that_a_terminal_obeys(search: Search, tmp_path: Path, capsys) -> None:
    fill(tmp_path, ("logs \x1b[2J \x9b2J \u202e ü", "text"))
    assert search(tmp_path, "logs", "--json") == 0
    line = capsys.readouterr().out
    assert line.rstrip("\n").isprintable()
    assert json.loads(line)["content"] == "logs \x1b[2J \x9b2J \u202e ü"


@pytest.mark.parametrize("mode", ["hybrid", "dense", "sparse", "bm25"])
def test_every_mode_finds_the_passage(search: Search, output: Path, capsys, mode: str) -> None:
    assert search(output, "database backups", "--mode", mode, "--limit", "1", "--json") == 0
    assert json.loads(capsys.readouterr().out)["position"] == 1


def test_filters_narrow_the_hits(search: Search, output: Path, capsys) -> None:
    assert search(output, "logs", "--json", "--filter", "chunk_type=code", "--filter", "document_id=d") == 0
    assert [json.loads(line)["position"] for line in capsys.readouterr().out.splitlines()] == [2]


def test_nothing_found_is_said_and_is_no_failure(search: Search, output: Path, capsys) -> None:
    assert search(output, "zebra", "--mode", "bm25") == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "Nothing found for 'zebra'.\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["logs", "--limit", "0"], "Cannot search for 0 hits"),
        (["logs", "--filter", "chunk_type"], "'chunk_type' is not FIELD=VALUE"),
        (["logs", "--filter", "=x"], "'=x' is not FIELD=VALUE"),
        (["logs", "--filter", "colour=red"], "Cannot filter by 'colour'"),
    ],
)
def test_what_cannot_be_asked_is_one_message(
    search: Search, output: Path, capsys, arguments: list[str], message: str
) -> None:
    assert search(output, *arguments) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err
    assert len(shown.err.splitlines()) == 1


def test_a_collection_that_is_not_there_is_one_message(search: Search, tmp_path: Path, capsys) -> None:
    assert search(tmp_path / "none", "logs") == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1
    assert "none/qdrant/ragcrawler" in shown.err
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
def test_an_empty_collection_is_one_message(search: Search, tmp_path: Path, capsys, mode: str) -> None:
    fill(tmp_path)
    assert search(tmp_path, "logs", "--mode", mode) == 1
    assert "qdrant/ragcrawler' is empty" in capsys.readouterr().err


def test_a_collection_that_another_holds_is_one_message(search: Search, output: Path, capsys) -> None:
    with open_store(store_config(output)):
        assert search(output, "logs") == 1
    shown = capsys.readouterr()
    assert "in use by the process with id" in shown.err
    assert len(shown.err.splitlines()) == 1


@pytest.mark.parametrize("arguments", [[], [""], [" ", " "]])
def test_no_query_is_a_wrong_use(search: Search, output: Path, arguments: list[str]) -> None:
    with pytest.raises(UsageError, match="name what to search for"):
        search(output, *arguments)


def test_the_command_runs_as_a_program(scrapy, output: Path) -> None:
    ended = scrapy.run(
        "search", "rotate the logs", "--json", "--limit", "1", OUTPUT_DIR=str(output), QDRANT_URL=""
    )
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["position"] == 0
    assert ended.stderr == ""


def test_a_reader_that_has_gone_is_no_failure(scrapy, output: Path) -> None:
    with scrapy.start("search", "logs", "--json", OUTPUT_DIR=str(output), QDRANT_URL="") as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_a_failure_is_an_exit_code_without_a_traceback(scrapy, tmp_path: Path) -> None:
    ended = scrapy.run("search", "logs", OUTPUT_DIR=str(tmp_path / "none"), QDRANT_URL="")
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.startswith("Error: ")
    assert len(ended.stderr.splitlines()) == 1
