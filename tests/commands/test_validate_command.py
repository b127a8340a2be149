"""`scrapy validate`: figures that a person can count, findings, and exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

from ragcrawler.config.defaults import project_settings

MARKDOWN = "# Kites\n\nKites fly on strings.\n\n## Strings\n\nThey are long.\n\n```\ntie(knot)\n```\n"


class Validated:
    """One call of the command."""

    def __init__(self, output: Path, *arguments: str, **settings: Any) -> None:
        values = project_settings(OUTPUT_DIR=str(output), EMBEDDING_MODEL="hashing/384", **settings)
        values |= {"SPARSE_EMBEDDING_MODEL": "hashing/sparse"}
        with pytest.raises(SystemExit) as ended:
            execute(["scrapy", "validate", *arguments], settings=Settings(values))
        self.code = ended.value.code
        path = output / "validation.jsonl"
        self.rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_the_figures_of_a_file_are_those_that_one_counts(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "kites.md").write_text(MARKDOWN)
    run = Validated(tmp_path / "out", str(tmp_path / "kites.md"))
    assert run.code == 0
    document, sums = run.rows
    assert document["url"] == "kites.md"
    assert document["headings"] == {"1": 1, "2": 1}
    assert document["lost_headings"] == document["findings"] == document["over_limit"] == []
    assert document["chunks_with_code"] == 1
    assert document["source_tokens"] >= document["tokens_total"] > 0
    assert sums["sums"]["documents"] == sums["sums"]["urls"] == 1
    assert sums["sums"]["chunks"] == document["chunks"]
    shown = capsys.readouterr().out
    assert "chunks with code" in shown
    assert "validation.jsonl" in shown


def test_a_feed_that_lost_something_has_findings(tmp_path: Path, capsys: Any) -> None:
    assert Validated(tmp_path / "out", str(made_feed(tmp_path, MARKDOWN))).code == 0
    feed = made_feed(tmp_path, MARKDOWN + "\n## Tails\n\nThey steady it.\n")
    run = Validated(tmp_path / "out", str(feed))
    assert run.code == 3
    assert run.rows[0]["lost_headings"] == ["Tails"]
    assert run.rows[0]["findings"][0] == "lost heading: Tails"
    assert "letters and digits in no chunk" in run.rows[0]["findings"][1]
    assert "http://h.example/: lost heading: Tails" in capsys.readouterr().out


def test_chunks_out_of_range_are_named(tmp_path: Path) -> None:
    feed = made_feed(tmp_path, MARKDOWN)
    name = json.loads(feed.read_text())["chunks"][0]["chunk_id"]
    sizes = {"CHUNK_TARGET_TOKENS": 5, "CHUNK_MAX_TOKENS": 6, "CHUNK_MIN_TOKENS": 1}
    run = Validated(tmp_path / "out", str(feed), **sizes)
    assert run.code == 3
    assert name in run.rows[0]["over_limit"]
    small = Validated(tmp_path / "out", str(feed))
    assert (small.code, name in small.rows[0]["under_minimum"]) == (0, True)
    assert Validated(tmp_path / "out", str(feed), "--strict").code == 3


@pytest.mark.parametrize("line", ["not json", "{}", '{"url": "x", "markdown": "y", "chunks": [{}]}', "[]"])
def test_what_is_no_feed_is_named_with_its_line_and_leaves_no_file(
    line: str, tmp_path: Path, capsys: Any
) -> None:
    feed = tmp_path / "feed.jsonl"
    feed.write_text("\n" + line)
    run = Validated(tmp_path / "out", str(feed))
    assert (run.code, run.rows) == (1, [])
    assert "feed.jsonl, line 2 is no document of a feed" in capsys.readouterr().err


def test_an_empty_collection_is_no_clean_one(tmp_path: Path, capsys: Any) -> None:
    assert Validated(tmp_path / "out").code == 1
    assert "there is no document to validate; crawl something first" in capsys.readouterr().err


def made_feed(folder: Path, markdown: str) -> Path:
    """A feed whose chunks are those of `MARKDOWN`, whatever its document says."""
    from ragcrawler.bootstrap.chunk_setup import setup_of
    from ragcrawler.config.configuration import Configuration
    from ragcrawler.items import chunk_record

    models = {"EMBEDDING_MODEL": "hashing/384", "SPARSE_EMBEDDING_MODEL": "hashing/sparse"}
    setup = setup_of(Configuration.from_settings(project_settings(**models)), None)
    chunks = [chunk_record(chunk) for chunk in setup.chunks(MARKDOWN, "kites")]
    feed = folder / "feed.jsonl"
    feed.write_text(json.dumps({"url": "http://h.example/", "markdown": markdown, "chunks": chunks}) + "\n")
    return feed
