"""`scrapy eval`: tables or one JSON object on stdout, what goes wrong in one line on stderr."""

import argparse
import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ragcrawler.commands.questions.eval import Command
from ragcrawler.embedding.families.hashing_embedders import (
    HASHING_DENSE,
    HASHING_SPARSE,
    HashingDense,
    HashingSparse,
)
from ragcrawler.items import SemanticChunk, Vectors
from ragcrawler.retrieval.evaluation.metrics import METRICS
from ragcrawler.stores import CollectionModels, StoreConfig, open_store

SITE = "https://docs.example.org"
PASSAGES = [
    ("logs#rotation", "Rotating logs", "Rotating logs: logrotate moves each file aside every night."),
    ("backups#nightly", "Nightly backups", "Nightly backups: the database is dumped into an archive."),
    ("users#adding", "Adding a user", "Adding a user: an administrator invites people by mail."),
]
MODELS = CollectionModels(HASHING_DENSE.name, HASHING_DENSE.dimensions, HASHING_SPARSE.name)
MODES = ["hybrid", "dense", "sparse", "bm25"]

Evaluate = Callable[..., int]


def fill(output: Path, collection: str, *passages: tuple[str, str, str]) -> None:
    dense, sparse = HashingDense(), HashingSparse()
    with open_store(StoreConfig(folder=output / "qdrant", collection=collection)) as store:
        store.create(MODELS)
        for number, (place, heading, text) in enumerate(passages):
            chunk = SemanticChunk(
                id=f"00000000-0000-5000-8000-{number:012}",
                chunk_id=place,
                document_id=place,
                content=text,
                content_hash="",
                token_count=10,
                embed_text=text,
                start=0,
                end=len(text),
                position=0,
                source_url=f"{SITE}/{place.split('#')[0]}",
                chunk_link=f"{SITE}/{place}",
                parent_section=heading,
                vectors=Vectors(dense.embed_documents([text])[0], sparse.embed_documents([text])[0]),
            )
            store.upsert([chunk])


@pytest.fixture
def output(tmp_path: Path) -> Path:
    fill(tmp_path, "ragcrawler", *PASSAGES)
    return tmp_path


@pytest.fixture
def run(output: Path) -> Evaluate:
    """Runs the command in this process and gives its exit code."""

    def call(*arguments: str) -> int:
        command = Command()
        command.settings = Settings()
        given = {
            "OUTPUT_DIR": str(output),
            "QDRANT_URL": "",
            "EMBEDDING_MODEL": HASHING_DENSE.name,
            "SPARSE_EMBEDDING_MODEL": HASHING_SPARSE.name,
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


@pytest.fixture
def queries(tmp_path: Path) -> str:
    path = tmp_path / "queries.jsonl"
    rows = [
        {"query": "logrotate file", "gold": [f"{SITE}/logs"]},
        {"query": "database archive", "gold": [f"{SITE}/backups#nightly"]},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return str(path)


def test_every_mode_stands_beside_the_others(run: Evaluate, queries: str, capsys) -> None:
    assert run(queries) == 0
    shown = capsys.readouterr()
    first, heading, *rows, fusion = shown.out.splitlines()
    assert first == "2 queries as configured, hashing/384 + hashing/sparse"
    assert heading.split() == list(METRICS)
    assert [row.split()[:2] for row in rows] == [[mode, "1.00"] for mode in MODES]
    assert fusion.startswith("hybrid against dense, the best single ranking: nDCG@10 +0.000")
    assert shown.err == ""


def test_json_is_one_object_with_means_and_intervals(run: Evaluate, queries: str, capsys) -> None:
    assert run(queries, "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["queries"], record["drafted"], record["missing_gold"]) == (2, 0, [])
    assert record["models"] == "hashing/384 + hashing/sparse"
    assert list(record["modes"]) == MODES
    assert record["modes"]["bm25"]["nDCG@10"] == {"mean": 1.0, "low": 1.0, "high": 1.0}
    assert "against" not in record


def test_judgements_beside_the_queries_are_graded_and_the_unjudged_counted(
    run: Evaluate, tmp_path: Path, capsys
) -> None:
    path, pool = tmp_path / "asked.jsonl", tmp_path / "pool.qrels"
    rows = [{"id": each, "query": "database archive"} for each in ("graded", "nothing relevant")]
    path.write_text("\n".join(map(json.dumps, rows)))
    # The best hit has the lower of two grades; the third page is in no judgement.
    pool.write_text(f"graded 0 {SITE}/backups 1\ngraded 0 {SITE}/users 2\n")
    assert run(str(path), "--qrels", str(pool), "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["queries"], record["unanswered"]) == (1, 1)
    assert record["unjudged"] == {"hybrid": 1.0, "dense": 1.0, "sparse": 0.0, "bm25": 0.0}
    assert record["modes"]["bm25"]["nDCG@10"]["mean"] == pytest.approx(1 / (2 + 1 / math.log2(3)))
    assert run(str(path), "--qrels", str(pool)) == 0
    shown = capsys.readouterr().out
    assert "queries left out, nothing is relevant to them: 1\n" in shown
    assert "unjudged of the ten best, counted as not relevant: hybrid 1.0, dense 1.0, " in shown


def test_another_setting_is_compared_query_by_query(
    run: Evaluate, output: Path, queries: str, capsys
) -> None:
    fill(output, "half", *PASSAGES[1:])
    assert run(queries, "--against", "QDRANT_COLLECTION=half", "--json") == 0
    against = json.loads(capsys.readouterr().out)["against"]
    assert against["settings"] == {"QDRANT_COLLECTION": "half"}
    assert against["missing_gold"] == [f"{SITE}/logs"]
    assert against["modes"]["bm25"]["success@5"]["mean"] == 0.5
    # One of two queries lost: flipping a single difference's sign is always as great.
    assert against["differences"]["bm25"]["success@5"] == {
        "mean": -0.5,
        "low": -1.0,
        "high": 0.0,
        "probability": 1.0,
    }
    assert run(queries, "--against", "QDRANT_COLLECTION=half") == 0
    assert "\nbm25     success@5  -0.500 [-1.000, +0.000], p = 1.0000\n" in capsys.readouterr().out


def test_a_comparison_shows_both_tables_and_what_changes(run: Evaluate, queries: str, capsys) -> None:
    assert run(queries, "--against", "HYBRID_WEIGHTS=bm25=1", "--against", "HYBRID_RRF_K=10") == 0
    shown = capsys.readouterr().out
    assert "2 queries with HYBRID_WEIGHTS=bm25=1, HYBRID_RRF_K=10" in shown
    changes = shown.split("What HYBRID_WEIGHTS=bm25=1, HYBRID_RRF_K=10 changes:\n")[1].splitlines()
    assert [line.split() for line in changes] == [[mode, "nothing"] for mode in MODES]


def test_gold_that_the_collection_does_not_hold_is_named(run: Evaluate, tmp_path: Path, capsys) -> None:
    path = tmp_path / "gone.jsonl"
    path.write_text(json.dumps({"query": "logs", "gold": [f"{SITE}/gone#place"]}))
    assert run(str(path)) == 0
    assert f"gold pages that are not in the collection: 1, {SITE}/gone\n" in capsys.readouterr().out


def test_a_draft_can_be_evaluated_and_is_marked(run: Evaluate, tmp_path: Path, capsys) -> None:
    path = str(tmp_path / "drafted.jsonl")
    assert run("--draft", path, "--queries", "2") == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"2 queries drafted from headings into {path}.")
    assert run(path) == 0
    assert "2 of them drafted from headings: easier than questions are" in capsys.readouterr().out


def test_a_draft_replaces_no_file(run: Evaluate, queries: str, capsys) -> None:
    before = Path(queries).read_text()
    assert run("--draft", queries) == 1
    assert f"{queries} is there already, perhaps with questions of yours: name another file" in (
        capsys.readouterr().err
    )
    assert Path(queries).read_text() == before


def test_a_folder_brings_its_own_corpus(run: Evaluate, tmp_path: Path, capsys) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    rows = [{"_id": str(n), "title": heading, "text": text} for n, (_, heading, text) in enumerate(PASSAGES)]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "database archive"}))
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\t1\t1\n")
    assert run(str(folder), "--json") == 0
    modes = json.loads(capsys.readouterr().out)["modes"]
    assert {mode: modes[mode]["MRR@10"]["mean"] for mode in modes} == dict.fromkeys(MODES, 1.0)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["missing.jsonl"], "cannot read the queries of 'missing.jsonl'"),
        (["QUERIES", "--against", "NO_SUCH=1"], "NO_SUCH"),
        (["QUERIES", "--against", "HYBRID_WEIGHTS=dense"], "HYBRID_WEIGHTS"),
        (["QUERIES", "--against", "QDRANT_COLLECTION=nowhere"], "there is no collection"),
    ],
)
def test_what_goes_wrong_is_said_in_one_line(
    run: Evaluate, queries: str, capsys, arguments: list[str], reason: str
) -> None:
    assert run(*(queries if each == "QUERIES" else each for each in arguments)) == 1
    shown = capsys.readouterr()
    assert reason in shown.err
    assert shown.err.startswith("Error: ")
    assert shown.err.count("\n") == 1
    assert shown.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["a", "b"],
        ["a", "--draft", "b"],
        ["a", "--against", "X"],
        ["--qrels", "q", "--draft", "a"],
        ["--draft", "a", "--queries", "0"],
    ],
)
def test_a_call_that_means_nothing_is_refused(run: Evaluate, arguments: list[str]) -> None:
    with pytest.raises(UsageError):
        run(*arguments)
