"""`scrapy search`: ranked hits on stdout, everything else in one line on stderr."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ragcrawler.commands.questions.search import Command
from ragcrawler.embedding.families.hashing_embedders import (
    HASHING_DENSE,
    HASHING_SPARSE,
    HashingDense,
    HashingSparse,
)
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
                    prev_chunk_id=str(UUID(int=number)) if number else "",
                    next_chunk_id=str(UUID(int=number + 2)) if number + 1 < len(passages) else "",
                    source_url="https://docs.example/guide",
                    chunk_link=f"https://docs.example/guide#part-{number}",
                    vectors=Vectors(dense.embed_query(content), sparse.embed_query(content)),
                )
                for number, (content, kind) in enumerate(passages)
            ]
        )


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once: a search changes nothing."""
    folder = tmp_path_factory.mktemp("search")
    fill(folder, *PASSAGES)
    return folder


@pytest.fixture
def search() -> Search:
    """Runs the command in this process and gives its exit code."""

    def run(output: Path, *arguments: str, **settings: str) -> int:
        command = Command()
        command.settings = Settings()
        for name, value in {"OUTPUT_DIR": str(output), "QDRANT_URL": "", **settings}.items():
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
    assert shown.out.startswith("1. Handbook  1.61")
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
    assert records[0]["link"] == "https://docs.example/guide#part-0"
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


@pytest.mark.parametrize(
    ("options", "positions"),
    [
        (["--filter", "chunk_type=code", "--filter", "chunk_type=text", "--filter", "position>=1"], {1, 2}),
        (["--filter", "chunk_type!=code"], {0, 1}),
        (["--per-document", "1"], {0}),
        (["--offset", "1", "--mode", "bm25"], {2}),
        (["--weights", "bm25=1"], {0, 2}),
        (["--weights", "dense=1,bm25=3", "--fusion", "dbsf", "--limit", "1"], {0}),
        (["--diversity", "0.9", "--weights", "dense=1", "--limit", "3"], {0, 1, 2}),
        (["--mode", "dense", "--threshold", "1.1"], set()),
    ],
)
def test_options_choose_what_is_found(search: Search, output: Path, capsys, options, positions) -> None:
    assert search(output, "rotate the logs", "--json", *options) == 0
    assert {json.loads(line)["position"] for line in capsys.readouterr().out.splitlines()} == positions


def test_context_and_budget_make_passages_of_hits(search: Search, output: Path, capsys) -> None:
    options = ("--mode", "bm25", "--context", "section", "--json")
    assert search(output, "rotate the logs", *options) == 0
    passages = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["text"] for each in passages] == [PASSAGES[0][0], PASSAGES[2][0]]
    assert passages[0]["link"] == "https://docs.example/guide#part-0"
    assert passages[0]["section_path"] == ["Guide", "Part 0"]
    assert passages[0]["hit_ids"] == passages[0]["chunk_ids"] == [str(UUID(int=1))]
    assert search(output, "rotate the logs", *options, "--budget", "3") == 0
    [passage] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (passage["text"], passage["words"], passage["is_cut"]) == ("Rotate the logs", 3, True)


@pytest.mark.parametrize(
    ("options", "joined"),
    [(["--budget", "100"], 2), (["--budget", "100", "--context", "0"], 1), (["--links"], 1)],
)
def test_a_budget_alone_joins_a_neighbour_on_each_side(
    search: Search, output: Path, capsys, options: list[str], joined: int
) -> None:
    assert search(output, "rotate the logs", "--mode", "bm25", "--limit", "1", "--json", *options) == 0
    (passage,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert passage["chunk_ids"] == [str(UUID(int=number + 1)) for number in range(joined)]


def test_a_passage_is_printed_whole_with_its_citation(search: Search, output: Path, capsys) -> None:
    assert search(output, "rotate the logs", "--mode", "bm25", "--limit", "1", "--budget", "3") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1. Handbook  ")
    assert lines[1:] == [
        "   Guide > Part 0",
        "   https://docs.example/guide#part-0",
        "   Rotate the logs",
        "   ...",
    ]


def rerank(search: Search, output: Path, *lines: dict, seconds: str = "30") -> int:
    script = output / "answers.jsonl"
    script.write_text("\n".join(map(json.dumps, lines)))
    model = f"scripted/{script}"
    options = ("--rerank", "llm", "--json", "--mode", "bm25")
    return search(output, "rotate the logs", *options, LLM_MODEL=model, RERANK_TIMEOUT_SECONDS=seconds)


def test_a_language_model_reorders_the_hits(search: Search, output: Path, capsys) -> None:
    assert rerank(search, output, {"document_ids": [2]}) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["position"] for record in records] == [2, 0]
    assert {(record["reranked"], record["rerank_failure"]) for record in records} == {(True, None)}


@pytest.mark.parametrize("line", [{"document_ids": []}, {"order": 1}, {"document_ids": [99]}])
def test_a_reranker_that_fails_leaves_the_order_and_says_so(
    search: Search, output: Path, capsys, caplog, line: dict
) -> None:
    assert rerank(search, output, line) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["position"] for record in records] == [0, 2]
    assert not any(record["reranked"] for record in records)
    assert all("the reranker" in record["rerank_failure"] for record in records)
    assert "The order stays as it was: the reranker " in caplog.text


def test_other_wordings_find_what_the_question_misses(search: Search, output: Path, capsys) -> None:
    script = output / "answers.jsonl"
    script.write_text('{"questions": ["database backups"]}')
    options = ("--mode", "bm25", "--expand", "--json")
    assert search(output, "saving tables", *options, LLM_MODEL=f"scripted/{script}") == 0
    assert [json.loads(line)["position"] for line in capsys.readouterr().out.splitlines()] == [1]


def test_a_reranker_of_the_settings_can_be_left_out(search: Search, output: Path, capsys) -> None:
    assert search(output, "logs", "--rerank", "none", "--json", RERANKER="llm", LLM_MODEL="") == 0
    assert "reranked" not in json.loads(capsys.readouterr().out.splitlines()[0])
    assert search(output, "logs", RERANKER="llm", LLM_MODEL="") == 1
    assert "set LLM_MODEL" in capsys.readouterr().err


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
        (["logs", "--offset", "-1"], "offset is -1"),
        (["logs", "--diversity", "2"], "diversity is 2.0"),
        (["logs", "--diversity", "0.5", "--mode", "bm25"], "Variety is judged by dense vectors"),
        (["logs", "--budget", "-1"], "A budget of -1 words"),
        (["logs", "--weights", "dense=x"], "HYBRID_WEIGHTS is 'dense=x'"),
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


def test_an_interrupted_search_ends_without_a_traceback(search, output, capsys, monkeypatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Command, "work", interrupted)
    assert search(output, "logs") == 130
    assert capsys.readouterr() == ("", "Interrupted.\n")


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
