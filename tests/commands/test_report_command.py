"""`scrapy report`: the page of a run, its path on stdout, and exit codes."""

import json
import webbrowser
from pathlib import Path
from typing import Any

import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

from ragcrawler.config.defaults import project_settings

FIRST, LAST = "20260101T000000Z-seeds-1", "20260102T000000Z-seeds-1"


def report(output: Path, *arguments: str) -> int:
    """Call the command."""
    with pytest.raises(SystemExit) as ended:
        execute(["scrapy", "report", *arguments], settings=Settings(project_settings(OUTPUT_DIR=str(output))))
    return int(ended.value.code or 0)


@pytest.fixture
def output(tmp_path: Path) -> Path:
    for name in (FIRST, LAST):
        run = tmp_path / "runs" / name
        run.mkdir(parents=True)
        (run / "report.json").write_text(json.dumps({"spider": f"of {name[:8]}"}), "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "name"),
    [((), "20260102T000000Z-seeds-1"), (("20260101T000000Z-seeds-1",), "20260101T000000Z-seeds-1")],
)
def test_the_page_is_written_and_its_path_is_printed(
    output: Path, capsys: Any, arguments: tuple[str, ...], name: str
) -> None:
    assert report(output, *arguments) == 0
    path = output / "runs" / name / "report.html"
    assert capsys.readouterr().out == f"{path}\n"
    assert f"<h1>Crawl with of {name[:8]}</h1>" in path.read_text("utf-8")


def test_a_browser_gets_the_file(output: Path, monkeypatch: Any, capsys: Any) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    assert report(output, "--open") == 0
    assert opened == [(output / "runs" / LAST / "report.html").as_uri()]
    assert "No browser was found" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [(("elsewhere",), 1, "has no such run; the last ones are 2026"), (("a", "b"), 2, "name one run")],
)
def test_what_is_wrong_is_said_in_one_line(
    output: Path, capsys: Any, arguments: tuple[str, ...], code: int, said: str
) -> None:
    assert report(output, *arguments) == code
    assert said in "".join(capsys.readouterr())


def test_a_damaged_report_is_named(output: Path, capsys: Any) -> None:
    path = output / "runs" / LAST / "report.json"
    path.write_text("{", "utf-8")
    assert report(output) == 1
    assert f"{path} is damaged" in capsys.readouterr().err
