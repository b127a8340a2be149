"""A folder of documents as the source of a crawl."""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scrapy.core.engine import ExecutionEngine

Crawl = Callable[..., Any]

_WORDS = "The pump is checked each morning, and what it shows is written into the book of the station."


@pytest.fixture(autouse=True)
def _the_engine_looks_around_by_itself_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crawl has to end when its last page has left, not when Scrapy looks next."""
    monkeypatch.setattr(ExecutionEngine, "_SLOT_HEARTBEAT_INTERVAL", 3600.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small book: a navigation, front matter, other line ends, and things that are no documents."""
    root = tmp_path / "docs"
    texts = {
        "SUMMARY.md": "- [Welcome](intro.md)\n- [Setting up](guide/setup.md)\n- [Gone](gone.md)\n",
        "intro.md": "---\ntitle: Introduction\n---\n\n# Hello\n\nSee [the guide](guide/setup.md#first).\n\n"
        f"{_WORDS}\n",
        "guide/setup.md": f"\ufeff# Setup\r\n\r\n{_WORDS} Ä ö ü.\r\n\r\n## First\r\n\r\n"
        "Back to [start](../intro.md).\r\n",
        "guide/notes.txt": f"Notes on pipes\n\nA pipe of copper lasts for {_WORDS}\n",
        "guide/page.html": f"<html><body><main><h1>Valve</h1><p>Turn left. {_WORDS}</p></main></body></html>",
        "broken.md": "",
        ".hidden.md": "# Hidden\n",
        ".git/config.md": "# Hidden\n",
        "guide/photo.png": "no picture",
    }
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    (root / "binary.md").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "outside.md").write_text("# Outside\n\nsecret\n")
    (root / "link.md").symlink_to(tmp_path / "outside.md")
    os.mkfifo(root / "pipe.md")
    return root


def _lines(path: Path, first: int, last: int) -> str:
    with path.open(encoding="utf-8-sig") as file:
        return "".join(file.readlines()[first - 1 : last])


def test_every_file_of_a_folder_is_stored_or_accounted_for(
    crawl_with: Crawl, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    long = "\n".join(f"## Part {number}\n\n{_WORDS * 8} {number}\n" for number in range(12))
    (folder / "long.md").write_text(f"+++\ntitle = 'Long'\n+++\n\n\n# Long\n\n{long}", encoding="utf-8")
    run = crawl_with("files", path=str(folder))
    documents = {document["url"]: document for document in run.documents}
    assert set(documents) == {"intro.md", "guide/setup.md", "guide/notes.txt", "guide/page.html", "long.md"}
    assert run.skipped == {
        "hidden": 2,
        "symlink": 1,
        "not_a_file": 1,
        "navigation": 1,
        "unsupported_type": 2,
        "empty": 1,
    }
    assert run.report["disagreements"] == []
    assert [entry.getMessage() for entry in caplog.records if entry.levelno >= logging.ERROR] == []
    assert documents["intro.md"]["title"] == "Welcome"
    assert documents["guide/setup.md"]["title"] == "Setting up"
    assert {chunk["chapter"] for chunk in documents["guide/setup.md"]["chunks"]} == {"guide"}
    assert documents["intro.md"]["chunks"][0]["extra"]["links"] == ["guide/setup.md#first"]
    links = {chunk["chunk_link"] for chunk in documents["long.md"]["chunks"]}
    assert {"long.md#long", "long.md#part-11"} <= links
    assert documents["guide/notes.txt"]["chunks"][0]["chunk_link"] == "guide/notes.txt"
    assert "start_line" not in documents["guide/page.html"]["chunks"][0]["extra"]
    texts = [document for url, document in documents.items() if not url.endswith(".html")]
    assert sum(_reread_chunks(folder, document) for document in texts) >= len(texts) + 5


def _reread_chunks(folder: Path, document: dict[str, Any]) -> int:
    """Read each chunk again from its path and lines; how many there are."""
    for chunk in document["chunks"]:
        extra = chunk["extra"]
        assert extra["path"] == document["url"]
        lines = _lines(folder / extra["path"], extra["start_line"], extra["end_line"])
        span = document["markdown"][chunk["start"] : chunk["end"]]
        assert lines.strip("\n") == span or (chunk["split_sequence"] and span in lines)
    return len(document["chunks"])


def test_files_without_a_converter_are_counted_by_their_ending_and_read_as_text_where_asked(
    crawl_with: Crawl, tmp_path: Path
) -> None:
    root = tmp_path / "book"
    root.mkdir()
    code = "".join(f"def part_{number}():\n    return {number}  # {_WORDS}\n\n\n" for number in range(3))
    texts = {
        "a.mdx": f"import B from 'b'\n\n# Pump\n\n<B>\n  {_WORDS}\n</B>\n",
        "b.py": code,
        "c.py": code * 2,
    }
    texts |= {"style.js": "<!-- a page? -->\n" + code, "LICENSE": f"You may. {_WORDS}"}
    texts |= {"photo.png": "no picture", "x.very strange": "x"}
    for path, text in texts.items():
        (root / path).write_text(text, encoding="utf-8")
    run = crawl_with("files", path=str(root))
    assert [document["url"] for document in run.documents] == ["a.mdx"]
    assert run.documents[0]["markdown"] == f"# Pump\n\n\n{_WORDS}\n\n".rstrip("\n") + "\n"
    assert run.skipped == {"unsupported_type": 6}
    report = (max((run.output / "runs").iterdir()) / "report.md").read_text(encoding="utf-8")
    assert "by their ending: js 1, none 1, others 1, png 1, py 2. " in report
    assert "Those that are text are read with `-a as_text=js,none,py`." in report
    run = crawl_with("files", path=str(root), as_text=".PY,js,none")
    documents = {document["url"]: document["markdown"] for document in run.documents}
    assert documents["b.py"] == code.rstrip("\n") + "\n"
    assert set(documents) == {"a.mdx", "b.py", "c.py", "style.js", "LICENSE"}


def test_later_runs_embed_nothing_again_name_what_changed_and_delete_what_is_gone(
    crawl_with: Crawl, folder: Path
) -> None:
    first = crawl_with("files", path=str(folder), GONE_AFTER=1)
    assert first.report["documents"]["new"] == 4
    second = crawl_with("files", path=str(folder), GONE_AFTER=1)
    assert second.report["chunks"]["embedded"] == second.report["chunks"]["made"] == 0
    (folder / "intro.md").write_text(f"# Hello\n\nAnother text. {_WORDS}\n", encoding="utf-8")
    (folder / "guide/notes.txt").unlink()
    braked = crawl_with("files", path=str(folder), GONE_AFTER=1)
    assert braked.skipped["unchanged"] == 2
    counts = braked.report["documents"]
    assert (counts["changed"], counts["removed"], counts["spared"]) == (1, 0, 1)
    assert braked.report["exit_code"] == 6
    forced = crawl_with("files", path=str(folder), GONE_AFTER=1, force_delete="1")
    assert forced.report["documents"]["removed"] == 1


def test_with_a_base_url_the_files_are_cited_by_links_and_a_bad_one_stops_no_other(
    crawl_with: Crawl, folder: Path
) -> None:
    Path(os.fsdecode(os.fsencode(folder / "guide") + b"/bad\xff.md")).write_text(_WORDS)
    run = crawl_with("files", path=str(folder), base_url="https://example.org/book", include="^guide/ ^intro")
    urls = {document["url"] for document in run.documents}
    assert "https://example.org/book/guide/setup.md" in urls
    (intro,) = (each for each in run.documents if each["url"].endswith("intro.md"))
    assert intro["chunks"][0]["extra"]["links"] == ["https://example.org/book/guide/setup.md#first"]
    assert run.skipped["not_included"] == 2
    assert run.failed == {"unreadable": 1}
    assert [failure["url"] for failure in run.failures] == ["https://example.org/book/guide/bad%FF.md"]


def test_of_two_files_with_one_text_the_first_is_stored_even_if_it_takes_longer_to_read(
    crawl_with: Crawl, tmp_path: Path
) -> None:
    text = "".join(f"<h2>Part {number}</h2><p>{_WORDS} {number}</p>" for number in range(5))
    (tmp_path / "two").mkdir()
    for name, menu in (("a.html", "<nav>" + "<a href='/x'>menu</a> " * 20_000 + "</nav>"), ("b.html", "")):
        page = f"<html><body>{menu}<main><h1>Valve</h1>{text}</main></body></html>"
        (tmp_path / "two" / name).write_text(page)
    run = crawl_with("files", path=str(tmp_path / "two"), PREPARATION_WORKERS=2)
    assert [document["url"] for document in run.documents] == ["a.html"]
    assert run.skipped == {"duplicate_content": 1}
