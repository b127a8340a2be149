"""`scrapy convert`: Markdown on stdout, everything else in one line on stderr."""

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ragcrawler.commands.documents.convert import Command

PAGE = (
    b"<html><body><main><h1>Gr\xc3\xb6\xc3\x9fe</h1><p>"
    + b"Some words for the reader. " * 5
    + b"<a href=b.html>b</a></p></main>"
)

Run = Callable[..., int]


@pytest.fixture
def run() -> Run:
    """Runs the command in this process and gives its exit code."""

    def start(*arguments: str) -> int:
        command = Command()
        command.settings = Settings()
        parser = argparse.ArgumentParser(conflict_handler="resolve")
        command.add_options(parser)
        options, words = parser.parse_known_args(arguments)
        command.run(words, options)
        return command.exitcode

    return start


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "page.html"
    file.write_bytes(PAGE)
    return file


def test_a_file_is_printed_as_markdown(run: Run, page: Path, capsys) -> None:
    assert run(str(page), "--url", "https://a.example/d/") == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("# Größe\n\nSome words")
    assert shown.out.endswith("[b](https://a.example/d/b.html)\n")
    assert shown.err == ""


def test_a_file_without_an_address_links_to_its_neighbours(run: Run, page: Path, capsys) -> None:
    assert run(str(page)) == 0
    assert f"({page.parent.as_uri()}/b.html)" in capsys.readouterr().out


def test_a_page_is_fetched_and_printed(run: Run, serve, capsys) -> None:
    site = serve(lambda path: (200, PAGE))
    assert run(f"{site}/x/page") == 0
    assert f"[b]({site}/x/b.html)" in capsys.readouterr().out


def test_pretty_renders_for_the_terminal(run: Run, page: Path, capsys) -> None:
    assert run(str(page), "--pretty") == 0
    shown = capsys.readouterr().out
    assert "Größe" in shown
    assert "# Größe" not in shown


def test_warnings_go_to_stderr(run: Run, tmp_path: Path, capsys) -> None:
    file = tmp_path / "a.md"
    file.write_text("---\n- x\n---\ntext\n", encoding="utf-8")
    assert run(str(file)) == 0
    assert capsys.readouterr().err.startswith("Warning: front matter that could not be read")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.html", None, "No such file"),
        ("empty.html", b" ", "empty: the body holds nothing but white space"),
        ("picture.pdf", b"\xff\xd8\xff\xe0", "unsupported_type: image/jpeg"),
    ],
)
def test_what_cannot_be_converted_is_one_line_and_exit_code_1(
    run: Run, tmp_path: Path, capsys, name: str, content: bytes | None, message: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert run(str(tmp_path / name)) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("Error: ")
    assert message in shown.err
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/", "ftp://127.0.0.1/x", "file:///etc/hostname"])
def test_an_address_that_cannot_be_fetched_is_said(run: Run, capsys, address: str) -> None:
    assert run(address) == 1
    assert capsys.readouterr().err.startswith(f"Error: {address}: ")


@pytest.mark.parametrize("arguments", [[], ["a", "b"]])
def test_exactly_one_document_is_converted(run: Run, arguments: list[str]) -> None:
    with pytest.raises(UsageError):
        run(*arguments)
