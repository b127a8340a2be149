"""`scrapy ask`: the answer on stdout, what was struck out and what went wrong on stderr."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ragcrawler.commands.questions.ask import Command
from ragcrawler.embedding.families.hashing_embedders import (
    HASHING_DENSE,
    HASHING_SPARSE,
    HashingDense,
    HashingSparse,
)
from ragcrawler.items import SemanticChunk, Vectors
from ragcrawler.stores import CollectionModels, StoreConfig, open_store

PASSAGES = ["To rotate the logs, run logrotate.", "It runs every night at two.", "Backups are on tape."]
TRUE = {"text": "Run logrotate.", "quotes": [{"source": 1, "text": "rotate the logs, run logrotate"}]}
FALSE = {"text": "Call support.", "quotes": [{"source": 1, "text": "call support at any time"}]}

Ask = Callable[..., int]


def chunk(number: int, content: str) -> SemanticChunk:
    return SemanticChunk(
        id=identity(number),
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
        section_path=("Guide", "Logs"),
        source_url="https://docs.example/guide",
        chunk_link="https://docs.example/guide#logs",
        prev_chunk_id=identity(number - 1) if number else "",
        next_chunk_id=identity(number + 1) if number + 1 < len(PASSAGES) else "",
        vectors=Vectors(HashingDense().embed_query(content), HashingSparse().embed_query(content)),
    )


def identity(number: int) -> str:
    return str(UUID(int=number + 1))


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once: a question changes nothing."""
    folder = tmp_path_factory.mktemp("ask")
    with open_store(StoreConfig(folder=folder / "qdrant")) as store:
        store.create(CollectionModels(HASHING_DENSE.name, HASHING_DENSE.dimensions, HASHING_SPARSE.name))
        store.upsert([chunk(number, content) for number, content in enumerate(PASSAGES)])
    return folder


def script(output: Path, *statements: dict) -> str:
    """A model that answers so, as the setting names it."""
    path = output / "answers.jsonl"
    path.write_text(json.dumps({"statements": statements}) + "\n")
    return f"scripted/{path}"


@pytest.fixture
def ask() -> Ask:
    """Runs the command in this process and gives its exit code."""

    def run(output: Path, model: str, *arguments: str) -> int:
        command = Command()
        command.settings = Settings()
        for name, value in (("OUTPUT_DIR", str(output)), ("QDRANT_URL", ""), ("LLM_MODEL", model)):
            command.settings.set(name, value, "cmdline")
        parser = argparse.ArgumentParser(conflict_handler="resolve")
        command.add_options(parser)
        options, words = parser.parse_known_args(arguments)
        command.process_options(words, options)
        command.run(words, options)
        return command.exitcode

    return run


def test_an_answer_shows_its_sources_and_the_words_quoted(ask: Ask, output: Path, capsys) -> None:
    assert ask(output, script(output, TRUE), "how do I rotate the logs?", "--limit", "1") == 0
    shown = capsys.readouterr()
    assert shown.out == (
        "Run logrotate. [1]\n"
        "\n"
        "[1] Handbook\n"
        "   Guide > Logs\n"
        "   https://docs.example/guide#logs\n"
        '   "rotate the logs, run logrotate"\n'
    )
    assert shown.err == ""


def test_what_cannot_be_shown_is_struck_out_and_counted(ask: Ask, output: Path, capsys) -> None:
    assert ask(output, script(output, TRUE, FALSE), "rotate the logs", "--json") == 0
    shown = capsys.readouterr()
    record = json.loads(shown.out)
    assert [each["text"] for each in record["statements"]] == ["Run logrotate."]
    assert (record["answered"], record["struck_quotes"], record["struck_statements"]) == (True, 1, 1)
    assert shown.err.startswith("Struck out: quotes that are not in the sources they name: 1; statements")


@pytest.mark.parametrize("statements", [(), (FALSE,)])
def test_without_evidence_there_is_no_answer(ask: Ask, output: Path, capsys, statements: tuple) -> None:
    assert ask(output, script(output, *statements), "rotate the logs") == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.endswith("The sources that were found do not answer the question.\n")


def test_neighbours_are_shown_to_the_model_unless_they_are_not_wanted(ask: Ask, output: Path, capsys) -> None:
    night = {"text": "At night.", "quotes": [{"source": 1, "text": "It runs every night at two."}]}
    for context, answered in (("1", True), ("section", True), ("0", False)):
        options = ("--limit", "1", "--mode", "bm25", "--context", context, "--json")
        assert ask(output, script(output, night), "how to rotate?", *options) == 0
        assert json.loads(capsys.readouterr().out)["answered"] is answered


def test_a_budget_bounds_what_the_model_is_shown(ask: Ask, output: Path, capsys) -> None:
    assert ask(output, script(output, TRUE), "rotate the logs", "--budget", "3", "--json") == 0
    assert json.loads(capsys.readouterr().out)["answered"] is False


def test_nothing_found_is_no_failure_and_the_model_is_not_asked(ask: Ask, output: Path, capsys) -> None:
    assert ask(output, script(output, TRUE), "zebra", "--mode", "bm25", "--json") == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out) == {
        "answered": False,
        "statements": [],
        "sources": [],
        "struck_quotes": 0,
        "struck_statements": 0,
    }
    assert shown.err == "Nothing found for 'zebra'.\n"


@pytest.mark.parametrize(
    ("model", "arguments", "message"),
    [
        ("", [], "no language model is configured: set LLM_MODEL"),
        ("scripted/none.jsonl", [], "the script 'none.jsonl' cannot be read"),
        ("nobody/model", [], "'nobody/model' cannot be opened"),
        (None, ["--filter", "colour=red"], "Cannot filter by 'colour'"),
        (None, ["--budget", "-1"], "A budget of -1 words"),
        (None, ["--weights", "dense=x"], "HYBRID_WEIGHTS is 'dense=x'"),
    ],
)
def test_what_cannot_be_asked_is_one_message(ask, output, capsys, model, arguments, message: str) -> None:
    model = script(output, TRUE) if model is None else model
    assert ask(output, model, "rotate the logs", *arguments) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err
    assert len(shown.err.splitlines()) == 1


def test_a_model_that_answers_nonsense_is_one_message(ask: Ask, output: Path, capsys) -> None:
    (output / "nonsense.jsonl").write_text('{"statements": 7}\n')
    assert ask(output, f"scripted/{output / 'nonsense.jsonl'}", "rotate the logs") == 1
    assert capsys.readouterr().err.startswith("Error: the script's line is no AnswerForm")


def test_no_question_is_a_wrong_use(ask: Ask, output: Path) -> None:
    with pytest.raises(UsageError, match="name what to search for"):
        ask(output, "", " ")


def test_the_command_runs_as_a_program(scrapy, output: Path) -> None:
    model = script(output, TRUE)
    ended = scrapy.run("ask", "rotate the logs?", "--limit", "1", OUTPUT_DIR=str(output), LLM_MODEL=model)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("Run logrotate. [1]\n")
    assert ended.stderr == ""
