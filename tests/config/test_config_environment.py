"""What the environment and `.env` give: the environment wins, unless it is empty."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ASK = "from ragcrawler.settings import CONTACT; print(CONTACT)"


@pytest.mark.parametrize(
    ("environment", "value"),
    [
        ({"CONTACT": ""}, "file@example.org"),
        ({"CONTACT": "env@example.org"}, "env@example.org"),
        ({}, "file@example.org"),
    ],
)
def test_an_empty_variable_does_not_hide_the_file(
    tmp_path: Path, environment: dict[str, str], value: str
) -> None:
    (tmp_path / ".env").write_text("CONTACT=file@example.org\n")
    given = {**os.environ, "RAGCRAWLER_ROOT": str(tmp_path), **environment}
    asked = subprocess.run(
        [sys.executable, "-c", ASK], env=given, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert asked.stdout.strip() == value
