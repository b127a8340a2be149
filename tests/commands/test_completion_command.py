"""`scrapy completion`: what shells complete."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

# Completes a line as bash does on Tab, and prints what it offers.
TAB = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_shtab_ragcrawler ragcrawler "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory, make_scrapy: Any) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    path = folder / "ragcrawler.bash"
    path.write_text(make_scrapy(folder).run("completion", "bash").stdout, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("ragcrawler sear", ["search"]),
        ("ragcrawler search --mo", ["--mode"]),
        ("ragcrawler search --mode h", ["hybrid"]),
        ("ragcrawler crawl see", ["seeds"]),
        ("ragcrawler crawl seeds --dry", ["--dry-run"]),
        ("ragcrawler convert pump", ["pumps.html"]),
        ("ragcrawler completion zz", []),
    ],
)
def test_bash_completes_commands_options_choices_spiders_and_files(
    script: Path, tmp_path: Path, line: str, offered: list[str]
) -> None:
    (tmp_path / "pumps.html").touch()
    command = ["bash", "--norc", "-c", TAB, "tab", str(script), *line.split()]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == offered


@pytest.mark.parametrize(
    ("shell", "first_line"), [("zsh", "#compdef ragcrawler"), ("fish", "# AUTOMATICALLY")]
)
def test_other_shells_have_their_own_script(scrapy: Any, shell: str, first_line: str) -> None:
    said = scrapy.run("completion", shell).stdout
    assert said.startswith(first_line)
    assert "hybrid" in said


def test_an_unknown_shell_is_refused(scrapy: Any) -> None:
    ended = scrapy.run("completion", "tcsh")
    assert ended.returncode == 2
    assert "name a shell: bash, zsh, fish" in ended.stderr + ended.stdout
