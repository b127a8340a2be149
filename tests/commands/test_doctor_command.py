"""`scrapy doctor`: its table, its JSON and its exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

from ragcrawler.config.defaults import project_settings

QUIET = {"QDRANT_URL": "", "LLM_MODEL": "", "HF_ENDPOINT": "", "JAVASCRIPT": "never"}
HASHING = {"EMBEDDING_MODEL": "hashing/384", "SPARSE_EMBEDDING_MODEL": "hashing/sparse"}


def doctor(output: Path, *arguments: str, **changes: Any) -> int:
    """Call the command."""
    settings = project_settings(OUTPUT_DIR=str(output), **{**QUIET, **HASHING, **changes})
    with pytest.raises(SystemExit) as ended:
        execute(["scrapy", "doctor", *arguments], settings=Settings(settings))
    return int(ended.value.code or 0)


def test_a_machine_that_lacks_nothing_ends_with_0(tmp_path: Path, capsys: Any) -> None:
    assert doctor(tmp_path) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:3]] == ["Python", "settings"]
    assert all(len(line) <= 140 for line in lines)


def test_what_failed_is_in_the_json_without_secrets_and_ends_with_3(tmp_path: Path, capsys: Any) -> None:
    changes = {"QDRANT_URL": "http://127.0.0.1:1", "QDRANT_API_KEY": "Secret77", "PROXY": "Secret77\x1b[2J"}
    assert doctor(tmp_path, "--json", **changes) == 3
    text = capsys.readouterr().out
    states = {each["name"]: each["state"] for each in json.loads(text)["findings"]}
    assert states["Qdrant"] == "failed"
    assert states["Redis"] == "not used"
    assert "Secret77" not in text
    assert "\x1b" not in text


def test_wrong_arguments_are_refused(tmp_path: Path, capsys: Any) -> None:
    for arguments in (("now",), ("--timeout", "0"), ("--timeout", "1e9")):
        assert doctor(tmp_path, *arguments) == 2
    assert "up to 300 seconds" in "".join(capsys.readouterr())
