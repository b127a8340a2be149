"""The commands that measure PDFs tell a good reader from a bad one, and say what is missing."""

from pathlib import Path

import conversion_pdf_docling
import pytest
from pdf_makers import comparison
from pdf_makers.layout import Block, Cell, Layout
from pdf_makers.score import Extracted, of_lines, of_markdown, score

TEXTS = ("The pump stands in the cellar.", "It is fed by two pipes.")
TABLE = Block("table", rows=((Cell("Part", rows=2), Cell("Number", columns=2)), (Cell("old"), Cell("new"))))
LAYOUT = Layout("plain", (*(Block("paragraph", text) for text in TEXTS), TABLE))
GRID = "| Part | Number |  |\n| --- | --- | --- |\n|  | old | new |"


def test_markdown_with_all_of_a_document_scores_one_in_everything() -> None:
    got = score(LAYOUT, of_markdown("\n\n".join([*TEXTS, GRID])))
    assert (got.words, got.order, got.paragraphs, got.tables) == (1.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("markdown", "measure"),
    [
        ("\n\n".join([*TEXTS, GRID, "Running header of the manual"]), "words"),
        ("\n\n".join([*reversed(TEXTS), GRID]), "order"),
        (" ".join(TEXTS) + "\n\n" + GRID, "paragraphs"),
        ("\n\n".join([*TEXTS, GRID.replace("| old |", "| old new |")]), "tables"),
    ],
)
def test_each_fault_costs_its_measure(markdown: str, measure: str) -> None:
    assert getattr(score(LAYOUT, of_markdown(markdown)), measure) < 1


def test_lines_of_plain_text_are_paragraphs_where_a_sentence_ends() -> None:
    assert (
        score(LAYOUT, of_lines("The pump stands\nin the cellar.\nIt is fed by two pipes.")(LAYOUT)).paragraphs
        == 1
    )


def test_without_weights_the_comparison_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("DOCLING_ARTIFACTS_PATH", raising=False)
    monkeypatch.setattr("sys.argv", ["conversion_pdf_docling.py", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        conversion_pdf_docling.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "DOCLING_ARTIFACTS_PATH = '' is no folder of docling's weights: nothing to compare\n"
    )


def test_readers_are_compared_document_by_document(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def make(layout: Layout, path: Path) -> bool:
        path.write_text("a PDF", encoding="utf-8")
        return True

    monkeypatch.setattr(comparison, "MAKERS", {"pen": (make, "")})
    whole, half = (
        Extracted((*TEXTS, GRID), ([["Part", "Number", ""], ["", "old", "new"]],)),
        Extracted(TEXTS[:1]),
    )
    readers = {"text layer": lambda path: lambda _: half, "docling": lambda path: lambda _: whole}
    rows = conversion_pdf_docling.compare_readers(tmp_path, {"all of it": [LAYOUT]}, readers)
    assert [(row.maker, row.layout, row.lead("paragraphs"), row.lead("tables")) for row in rows] == [
        ("pen", "plain", -0.5, -1.0)
    ]
    printed = capsys.readouterr().out
    assert "paragraphs: text layer ahead of the best of docling by -0.500 [-0.500, -0.500]" in printed
    assert "paragraphs: behind in pen-plain -0.500" in printed
