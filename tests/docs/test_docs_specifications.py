"""The page of the specifications: what it names is there, and it names all that specification 003 names."""

import importlib
import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs" / "specifications.md").read_text(encoding="utf-8")
PLACES = sorted(set(re.findall(r"`((?:ragcrawler|benchmarks)/[\w/]+\.py)`((?: `[\w.]+`)*)", PAGE)))
NAMED_BY_003 = {
    "InputProcessor": ("load_json", "validate_input"),
    "Chunker": ("parse_markdown", "create_chunk", "calculate_token_count"),
    "Summarizer": ("batch_summarize", "retry_api_call"),
    "Validator": ("validate_headings_preserved", "validate_token_counts", "generate_validation_report"),
    "StatisticsGenerator": ("generate_statistics",),
    "Orchestrator": ("run", "process_document", "summarize_chunks", "validate_and_report"),
}


def _has(owner: Any, name: str) -> bool:
    return hasattr(owner, name) or (is_dataclass(owner) and name in {each.name for each in fields(owner)})


@pytest.mark.parametrize(("file", "names"), PLACES)
def test_a_named_file_has_what_is_named(file: str, names: str) -> None:
    assert (PROJECT / file).is_file()
    if not names:
        return
    module = importlib.import_module(file.removesuffix(".py").replace("/", "."))
    for name in re.findall(r"`([\w.]+)`", names):
        first, _, second = name.partition(".")
        assert _has(module, first), name
        assert not second or _has(getattr(module, first), second), name


@pytest.mark.parametrize(
    "name", [f"{owner}.{name}" for owner in NAMED_BY_003 for name in NAMED_BY_003[owner]]
)
def test_each_function_of_specification_003_has_its_row(name: str) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{name}` |"))
    assert "`ragcrawler/" in row


@pytest.mark.parametrize("number", range(1, 9))
def test_each_decision_of_specification_002_has_its_row(number: int) -> None:
    section = PAGE.partition("## 002")[2].partition("\n## ")[0]
    assert re.search(rf"^\| {number}, .*`ragcrawler/", section, re.MULTILINE)
