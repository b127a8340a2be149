"""The example in the documentation runs and prints what its comments say."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "conversion.md"


def test_the_example_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    found = re.search(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    exec(found.group(1), {})
    lines = capsys.readouterr().out.splitlines()
    assert [lines[0], lines[-1]] == re.findall(r"  # (.*)", found.group(1))
    assert "Rotate them [daily](https://docs.example.org/guide/daily.html)." in lines
