"""`scrapy tune`: weights that hold become a line for `.env`; else an exit code says why they stay."""

import argparse
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from dotenv import dotenv_values
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ragcrawler.commands.questions.tune import Command
from ragcrawler.embedding.families.hashing_embedders import HASHING_DENSE, HASHING_SPARSE
from tests.commands.test_eval_command import SITE, fill

Tune = Callable[..., int]

# A question's common words are all of a decoy; its rare one, which BM25 weighs most, is in one page.
DECOYS = [(f"decoy{n}#a", "Decoy", f"set mode set mode other{n}") for n in range(12)]
PAGES = [(f"page{n}#a", "Page", f"code{n} is a name with a page of its own here") for n in range(30)]
FEW_POINTS = {"dense": (1.0,), "bm25": (0.0, 1.0), "sparse": (0.0,), "document": (0.0, 0.7)}


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    path = tmp_path / "queries.jsonl"
    rows = [{"query": f"set mode code{n}", "gold": [f"{SITE}/page{n}"]} for n in range(30)]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tune:
    """Runs the command in this process, by a dense ranking alone, and gives its exit code."""
    fill(tmp_path / "output", "ragcrawler", *DECOYS, *PAGES)
    monkeypatch.setattr("ragcrawler.maintenance.tuning.GRID", FEW_POINTS)
    monkeypatch.setattr("ragcrawler.environment._root", tmp_path)
    monkeypatch.delenv("HYBRID_WEIGHTS", raising=False)

    def call(*arguments: str, weights: str = "dense=1") -> int:
        command = Command()
        command.settings = Settings()
        given = {
            "OUTPUT_DIR": str(tmp_path / "output"),
            "QDRANT_URL": "",
            "EMBEDDING_MODEL": HASHING_DENSE.name,
            "SPARSE_EMBEDDING_MODEL": HASHING_SPARSE.name,
            "HYBRID_WEIGHTS": weights,
        }
        for name, value in given.items():
            command.settings.set(name, value, "cmdline")
        parser = argparse.ArgumentParser(conflict_handler="resolve")
        command.add_options(parser)
        options, rest = parser.parse_known_args(arguments)
        command.process_options(rest, options)
        command.run(rest, options)
        return command.exitcode

    return call


def test_weights_that_hold_are_shown_and_written_where_they_are_asked_to_be(
    run: Tune, queries: Path, tmp_path: Path, capsys
) -> None:
    dotenv = tmp_path / ".env"
    dotenv.write_text("CONTACT=me@example.org\nHYBRID_WEIGHTS=dense=2")
    assert run(str(queries)) == 0
    shown = capsys.readouterr().out
    assert "nDCG@10 by dense=1: 0.000\n" in shown
    assert "3 parts left out in turn: 1.000\ndifference +1.000 [+1.000, +1.000], p = 0.0001\n" in shown
    (line,) = re.findall(r"^HYBRID_WEIGHTS=(dense=1,bm25=1,.*)$", shown, re.MULTILINE)
    assert dotenv_values(dotenv)["HYBRID_WEIGHTS"] == "dense=2"
    assert run(str(queries), "--write") == 0
    assert dotenv_values(dotenv) == {"CONTACT": "me@example.org", "HYBRID_WEIGHTS": line}
    assert (
        f"Written to {dotenv}; today's were dense=1. To undo it: the line was HYBRID_WEIGHTS=dense=2.\n"
        in (capsys.readouterr().out)
    )


def test_a_first_env_file_is_its_owners_and_a_winning_environment_is_told(
    run: Tune, queries: Path, tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HYBRID_WEIGHTS", "dense=1")
    assert run(str(queries), "--write") == 0
    shown = capsys.readouterr().out
    assert "To undo it: remove the line.\n" in shown
    assert shown.endswith("The environment gives HYBRID_WEIGHTS too, and wins: take it out there.\n")
    assert (tmp_path / ".env").stat().st_mode & 0o077 == 0


def test_weights_that_nothing_betters_stay(run: Tune, queries: Path, tmp_path: Path, capsys) -> None:
    assert run(str(queries), "--write", weights="dense=1,bm25=1,document=0.7") == 3
    assert capsys.readouterr().out.endswith("The weights stay.\n")
    assert not (tmp_path / ".env").exists()


def test_too_few_queries_are_said_and_drafted_ones_do_not_count(
    run: Tune, queries: Path, tmp_path: Path, capsys
) -> None:
    rows = [json.loads(line) for line in queries.read_text().splitlines()]
    queries.write_text("\n".join(json.dumps({**row, "drafted": n < 5}) for n, row in enumerate(rows)))
    assert run(str(queries), "--write") == 4
    assert capsys.readouterr().out.splitlines()[1:] == [
        "left out, drafted from headings: 5",
        "",
        "HYBRID_WEIGHTS ranks 25 of them",
        "Too few queries: at least 30 are needed. The weights stay.",
    ]
    assert not (tmp_path / ".env").exists()


def test_what_goes_wrong_is_said_in_one_line(run: Tune, capsys) -> None:
    assert run("missing.jsonl") == 1
    shown = capsys.readouterr()
    assert shown.err.startswith("Error: cannot read the queries of 'missing.jsonl'")
    assert (shown.err.count("\n"), shown.out) == (1, "")


@pytest.mark.parametrize("arguments", [[], ["a", "b"], [".", "--qrels", "b"]])
def test_a_call_that_means_nothing_is_refused(run: Tune, arguments: list[str]) -> None:
    with pytest.raises(UsageError):
        run(*arguments)
