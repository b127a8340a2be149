"""Names that the environment can set stand in `.env.example` and are marked in the settings' page."""

import ast
import re
from pathlib import Path

PROJECT = Path(__file__).parents[2]
EXAMPLE = (PROJECT / ".env.example").read_text(encoding="utf-8")
SETTINGS_PAGE = (PROJECT / "docs" / "settings.md").read_text(encoding="utf-8")


def read_by_settings() -> set[str]:
    """The names that `settings.py` asks the environment and `.env` for."""
    tree = ast.parse((PROJECT / "ragcrawler" / "settings.py").read_text(encoding="utf-8"))
    return {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"_given", "_path"}
        and isinstance(node.args[0], ast.Constant)
    }


def test_the_example_names_all_of_them_and_no_other() -> None:
    assert len(read_by_settings()) > 30
    assert set(re.findall(r"^# ([A-Z_]+)=", EXAMPLE, re.MULTILINE)) == read_by_settings()


def test_nothing_in_the_example_is_switched_on() -> None:
    assert all(not line or line.startswith("# ") for line in EXAMPLE.splitlines())


def test_the_settings_page_marks_all_of_them_and_no_other() -> None:
    rows = re.findall(r"^\| ([^|]+)•", SETTINGS_PAGE, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)} == read_by_settings()
