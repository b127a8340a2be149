"""What takes room is in the docs, with its reason."""

import re
from pathlib import Path

from installed_sizes import MEBIBYTE, installed_packages, normalised, requirements

PAGE = (Path(__file__).parents[2] / "docs" / "deploy.md").read_text(encoding="utf-8")
EXPLAINED = set(re.findall(r"^\| `([\w-]+)` \| \d+ \|", PAGE, re.MULTILINE))
LEAST = 50 * MEBIBYTE


def test_every_installed_package_over_50_megabytes_has_its_reason() -> None:
    packages = installed_packages()
    assert sorted(packages, key=lambda each: -each.bytes) == packages
    assert {each.name for each in packages if each.bytes > LEAST} <= EXPLAINED
    assert "numpy" in EXPLAINED


def test_extras_are_no_requirements_and_names_have_one_spelling() -> None:
    lines = ["Qdrant_Edge.py>=0.9", "numpy (>=2)", 'torch; extra == "gpu"', 'tzdata; sys_platform == "win32"']
    assert requirements(lines) == {"qdrant-edge-py", "numpy", "tzdata"}
    assert normalised("A__b.C") == "a-b-c"
