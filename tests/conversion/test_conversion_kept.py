"""The table of docs/conversion.md: what each format keeps is in the Markdown, what it loses is a warning."""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest

from ragcrawler.conversion import Converted, convert
from tests.conversion import office_samples

DOCS = Path(__file__).parents[2] / "docs" / "conversion.md"
FOLDER = Path(__file__).parent / "formats"
HTML = """<title>The pump</title><main><h1>The pump</h1><h2>Parts</h2><p>Call it <code>water</code>
<a href="https://e.org/shop">the shop</a> <sup><a href="#n1" role="doc-noteref">1</a></sup>
<span class="math notranslate">\\(v = 3\\)</span>.</p><pre>pump --start</pre>
<table><tr><th>Part</th><th>Price</th></tr><tr><td>valve</td><td>3</td></tr></table><ul><li>valve</li></ul>
<img src="plan.png" alt="plan"><ol><li id="n1">Only once.</li></ol></main>"""
MARKDOWN = """# The pump

## Parts

[the shop](https://e.org/shop) [^1] $v = 3$ ![plan](plan.png)

- valve

| Part | Price |
| --- | --- |
| valve | 3 |

```
pump --start
```

[^1]: Only once.
"""
HEADING = "## Parts"
TABLE = "| Part | Price |\n| --- | --- |\n| valve | 3 |"
SHOP = "[the shop](https://e.org/shop)"
OFFICE_TABLE = "| Price |\n| --- |\n| 3 |"


def file(name: str) -> Callable[[], bytes]:
    return (FOLDER / name).read_bytes


SAMPLES: dict[str, tuple[str, Callable[[], bytes], dict[str, str]]] = {
    "HTML": (
        "a.html",
        HTML.encode,
        {
            "headings": HEADING,
            "code": "```\npump --start\n```",
            "tables": TABLE,
            "lists": "- valve",
            "links": SHOP,
            "pictures": "![plan](https://e.org/docs/plan.png)",
            "footnotes": "[^1]: Only once.",
            "formulas": "$v = 3$",
        },
    ),
    "Markdown": (
        "a.md",
        MARKDOWN.encode,
        {
            "headings": HEADING,
            "code": "```\npump --start\n```",
            "tables": TABLE,
            "lists": "- valve",
            "links": SHOP,
            "pictures": "![plan](plan.png)",
            "footnotes": "[^1]: Only once.",
            "formulas": "$v = 3$",
        },
    ),
    "reStructuredText": (
        "sample.rst",
        file("sample.rst"),
        {
            "headings": HEADING,
            "code": "```bash\n$ pump --start\n```",
            "tables": "| Part | Price |\n| --- | --- |\n| valve | 3 |",
            "lists": "1. valve\n2. motor\n   - seal",
            "links": SHOP,
            "pictures": "![A pump](https://e.org/docs/pump.png)",
            "footnotes": "[^1]: Only once.",
            "notes": "*New in version 2.0:* It also stops.",
            "formulas": "$v = 3$",
        },
    ),
    "AsciiDoc": (
        "sample.adoc",
        file("sample.adoc"),
        {
            "headings": HEADING,
            "code": "```bash\n  pump --start\n  ```",
            "tables": TABLE,
            "lists": "- valve\n  - seal",
            "links": SHOP,
            "pictures": "![plan](https://e.org/docs/pictures/plan.png)",
            "footnotes": "[^1]: Only once.",
            "notes": "> It also stops.",
            "formulas": "$v = 3$",
        },
    ),
    "DocBook": (
        "sample.dbk",
        file("sample.dbk"),
        {
            "headings": HEADING,
            "code": "```bash\npump --start < in\n```",
            "tables": TABLE,
            "lists": "- valve",
            "links": SHOP,
            "pictures": "![plan](https://e.org/docs/plan.png)",
            "footnotes": "[^1]: Only once.",
            "notes": "> It also stops.",
            "formulas": "$v = 3$",
        },
    ),
    "RTF": (
        "sample.rtf",
        file("sample.rtf"),
        {
            "headings": HEADING,
            "code": "```\npump --start\n  now\n```",
            "tables": TABLE,
            "lists": "- valve\n  - seal",
            "links": SHOP,
            "pictures": "![](picture-1.png)",
            "footnotes": "[^1]: Only *once*.",
            "notes": "left out: comments (1)",
        },
    ),
    "manual page": (
        "sample.1",
        file("sample.1"),
        {
            "headings": "## SYNOPSIS",
            "code": "```\n  pump -a | cat\n```",
            "tables": TABLE,
            "lists": "- water\n  - oil",
            "links": SHOP,
            "formulas": "left out: drawings and equations (1)",
        },
    ),
    "notebook": (
        "sample.ipynb",
        file("sample.ipynb"),
        {
            "headings": "# The pump",
            "code": "```bash\n%%bash\nls\n```",
            "tables": TABLE,
            "lists": "- valve",
            "links": SHOP,
            "pictures": "![plan](picture-1.png)",
            "formulas": "$v = 3$",
        },
    ),
    "CSV": ("sample.tsv", file("sample.tsv"), {"tables": "| Part | Link |", "links": "https://e.org/valve"}),
    "mail": (
        "sample.eml",
        file("sample.eml"),
        {
            "headings": HEADING,
            "code": "```\npump --start\n```",
            "tables": TABLE,
            "lists": "- valve",
            "links": SHOP,
            "pictures": "![plan](picture-1.png)",
        },
    ),
    "DOCX": (
        "a.docx",
        office_samples.docx,
        {
            "headings": "# Parts\n\nH2O is **wet**, see (",
            "code": "```\npump()\n```",
            "tables": OFFICE_TABLE,
            "lists": "- valve",
            "links": f"({SHOP}).",
            "pictures": "![](picture-1.png)",
            "footnotes": "[^1]: A footnote, \\*so\\*.\n\n[^2]: A endnote, \\*so\\*.",
            "notes": "Really?",
            "formulas": "$v=3$",
        },
    ),
    "PPTX": (
        "a.pptx",
        office_samples.pptx,
        {
            "headings": "# Parts\n\n- H2O",
            "tables": OFFICE_TABLE,
            "lists": "- H2O",
            "links": SHOP,
            "pictures": "![](picture-1.png)",
            "notes": "> **Note:** Say it slowly.\n> Then stop.",
            "formulas": "$v=3$",
        },
    ),
    "XLSX": (
        "a.xlsx",
        office_samples.xlsx,
        {
            "headings": "## Prices",
            "tables": "| 25% | 1,234.50 € | 2024-03-05 | 2024-03-05 09:30:00 |",
            "links": "| [valve](https://e.org/valve) |",
            "pictures": "![](picture-1.png)",
            "notes": "Of all parts.",
            "formulas": "left out: results of formulas that the file does not hold (1)",
        },
    ),
    "ODT": (
        "a.odt",
        office_samples.odt,
        {
            "headings": "# Parts\n\nH2O, see (",
            "tables": OFFICE_TABLE,
            "lists": "- valve",
            "links": f"({SHOP})[^1], now.",
            "pictures": "![](picture-1.png)",
            "footnotes": "[^1]: A footnote, \\*so\\*.",
            "notes": "Really?",
            "formulas": "left out: formulas (1)",
        },
    ),
    "ODS": (
        "a.ods",
        office_samples.ods,
        {
            "headings": "## Prices",
            "tables": "| Part | Share |",
            "links": "| [valve](https://e.org/valve) | 25% |",
            "notes": "left out: comments (1)",
        },
    ),
    "ODP": (
        "a.odp",
        office_samples.odp,
        {
            "headings": "# Parts\n\n- H2O",
            "lists": "- H2O",
            "links": SHOP,
            "notes": "> **Note:** Say it slowly.",
        },
    ),
}
TITLES = {"manual page": "pump(1)", "mail": "The pümp"}


def table() -> list[tuple[str, str, str]]:
    """Format, column and what stands in the cell, of each cell that is no dash."""
    lines = re.findall(
        r"^\| .*\|$", DOCS.read_text(encoding="utf-8").partition("## What each format")[2], re.M
    )
    head, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    cells = [(row[0], column, cell) for row in rows for column, cell in zip(head[1:], row[1:], strict=True)]
    return [cell for cell in cells if cell[2] != "–"]


@lru_cache(maxsize=1)
def converted(name: str) -> Converted:
    file_name, make, _ = SAMPLES[name]
    return convert(make(), "", f"https://e.org/docs/{file_name}")


@pytest.mark.parametrize(("name", "column", "cell"), table(), ids=lambda part: part.replace(" ", "-"))
def test_a_format_keeps_what_the_docs_say(name: str, column: str, cell: str) -> None:
    document = converted(name)
    if column == "title":
        assert (cell, document.title) == ("kept", TITLES.get(name, "The pump"))
        return
    expected = SAMPLES[name][2][column]
    if cell == "kept":
        assert expected in document.markdown
    else:
        assert (cell, expected) == ("lost", next(iter(set(document.metadata.warnings) & {expected}), ""))


def test_the_docs_have_a_row_for_each_sample() -> None:
    rows = {name: {column for row, column, _ in table() if row == name} - {"title"} for name in SAMPLES}
    assert rows == {name: set(expected) for name, (_, _, expected) in SAMPLES.items()}
