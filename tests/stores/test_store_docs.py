"""The statements of docs/stores.md hold."""

import re
from pathlib import Path

from ragcrawler.stores.exports import ExportHeader, write_export
from ragcrawler.stores.payload_indexes import PAYLOAD_INDEXES

PAGE = (Path(__file__).parents[2] / "docs" / "stores.md").read_text(encoding="utf-8")


def test_the_page_names_the_indexed_fields_and_no_others() -> None:
    (sentence,) = re.findall(r"have an index of their own.*?\. All\s+others", PAGE, re.DOTALL)
    assert re.findall(r"`(.*?)`", sentence) == list(PAYLOAD_INDEXES)


def test_the_program_on_the_page_reads_an_export(
    tmp_path, monkeypatch, collection_models, make_chunk, capsys
) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    with (tmp_path / "chunks.jsonl").open("wb") as out:
        write_export(out, "jsonl", ExportHeader(collection_models, has_vectors=True), [make_chunk(1)])
    monkeypatch.chdir(tmp_path)
    exec(
        program.replace("open(", "Path(").replace(', encoding="utf-8")', ").read_text().splitlines()"),
        {"Path": Path},
    )
    assert capsys.readouterr().out == "https://docs.example/d1 ['Guide', 'Part 1'] 4\n"


def test_the_page_names_commands_that_are_there() -> None:
    named = set(re.findall(r"scrapy (\w+)", PAGE))
    assert {"reindex", "export", "import"} <= named
    commands = Path(__file__).parents[2] / "ragcrawler" / "commands"
    assert named <= {module.stem for module in commands.rglob("*.py")}
