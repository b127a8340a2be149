"""Formats that people have beside HTML: each sample comes out as the Markdown beside it."""

import json
import random
from email import message_from_string
from pathlib import Path

import pytest

from ragcrawler.conversion import ConversionError, ConversionLimits, Converted, convert
from ragcrawler.conversion.mail.header_bounds import MAX_CHARACTERS, POLICY
from ragcrawler.conversion.markup.restructured_text.roles import MAX_MARKUP
from ragcrawler.conversion.text import delimited

FOLDER = Path(__file__).parent / "formats"
SAMPLES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".md")
URL = "https://e.org/docs/"


def of(body: bytes | str, name: str, limits: ConversionLimits | None = None) -> Converted:
    data = body.encode() if isinstance(body, str) else body
    return convert(data, "", URL + name, limits=limits)


def notebook(*cells: dict[str, object]) -> str:
    return json.dumps({"cells": list(cells), "metadata": {}})


def output(**data: str) -> str:
    kinds = {name.replace("_", "/"): text for name, text in data.items()}
    shown = {"output_type": "display_data", "data": kinds}
    return notebook({"cell_type": "code", "source": "x", "outputs": [shown]})


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_sample_becomes_the_markdown_beside_it(sample: Path) -> None:
    converted = of(sample.read_bytes(), sample.name)
    assert converted.markdown == (FOLDER / f"{sample.name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "title", "warnings"),
    [
        (
            "sample.rst",
            "The pump",
            (
                "left out: parts of other files (1)",
                "left out: blocks of raw markup or of other files (1)",
            ),
        ),
        (
            "sample.ipynb",
            "The pump",
            ("left out: outputs of type application/vnd.jupyter.widget-view+json (1)",),
        ),
        (
            "sample.eml",
            "The pümp",
            ("left out: attachment drawing.zip (application/zip): unsupported_type",),
        ),
        (
            "sample.adoc",
            "The pump",
            ("left out: parts of other files (1)", "left out: blocks of raw markup (1)"),
        ),
        (
            "sample.dbk",
            "The pump",
            ("left out: entities of other files (1)", "left out: parts of other files (1)"),
        ),
        (
            "sample.rtf",
            "The pump",
            ("left out: pictures that cannot be read (1)", "left out: comments (1)"),
        ),
        ("sample.1", "pump(1)", ("left out: drawings and equations (1)",)),
        ("sample.3", "pump(3)", ()),
        ("sample.csv", "sample.csv", ()),
    ],
)
def test_a_sample_has_its_title_and_says_what_it_lost(
    name: str, title: str, warnings: tuple[str, ...]
) -> None:
    converted = of((FOLDER / name).read_bytes(), name)
    assert (converted.title, converted.metadata.warnings) == (title, warnings)


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("a,b\n1,2\n", "| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
        ("a;b\n1,5;2\n", "| a | b |\n| --- | --- |\n| 1,5 | 2 |\n"),
        ("a\tb, c\n1\t2\n", "| a | b, c |\n| --- | --- |\n| 1 | 2 |\n"),
        ("sep=|\na|b\n1|2\n", "| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
        ("name\nvalve\n", "| name |\n| --- |\n| valve |\n"),
        ("a,b\n1,2,3\n\n,,\n", "| a | b |  |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n"),
    ],
)
def test_the_delimiter_of_a_table_is_found(text: str, markdown: str) -> None:
    assert of(text, "a.csv").markdown == markdown


def test_a_table_in_another_encoding_is_read() -> None:
    body = "Größe;Preis\nfünf;3\n".encode("cp1252")
    assert of(body, "a.csv").markdown.startswith("| Größe | Preis |")


def test_a_table_beyond_its_bounds_is_cut_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "_MAX_CELLS", 5_000)
    wide = of(",".join("x" * 1_002) + "\n", "a.csv")
    assert wide.metadata.warnings == ("left out: columns of a table of over 1000 (2)",)
    long = of(("x," * 499 + "x\n") * 11, "a.csv")
    assert long.metadata.warnings == ("left out: rows of a table of over 5000 cells (1)",)


@pytest.mark.parametrize(
    ("body", "markdown"),
    [
        (output(text_plain="<Figure size 1x1 with 1 Axes>"), "```\nx\n```\n"),
        (output(text_latex="$$v$$", text_plain="v"), "```\nx\n```\n\n$$v$$\n"),
        (output(text_html="<b>bold</b>", text_plain="plain"), "```\nx\n```\n\n```text\nplain\n```\n"),
        (output(text_html="<b>bold</b>", text_plain="<a.B at 0x7f>"), "```\nx\n```\n\n**bold**\n"),
        (notebook({"cell_type": "raw", "source": ["a\n", "b"]}), "```text\na\nb\n```\n"),
        (
            notebook({"cell_type": "markdown", "source": "![i](data:image/png;base64,iVBORw0KGgo=)"}),
            "![i](picture-1.png)\n",
        ),
        (
            '{"worksheets": [{"cells": [{"cell_type": "heading", "level": 2, "source": "Old"},'
            '{"cell_type": "code", "input": "1", "outputs": [{"output_type": "pyout", "text": "1"}]}]}]}',
            "## Old\n\n```\n1\n```\n\n```text\n1\n```\n",
        ),
    ],
)
def test_the_best_output_of_a_cell_is_kept(body: str, markdown: str) -> None:
    assert of(body, "a.ipynb").markdown == markdown


def test_a_long_output_is_cut_with_a_warning() -> None:
    converted = of(output(text_plain="x" * 30_000), "a.ipynb")
    assert len(converted.markdown) < 21_000
    assert converted.metadata.warnings == ("left out: ends of outputs of over 20000 characters (1)",)


def test_a_message_without_html_keeps_its_text() -> None:
    body = (
        b"From: a@e.org\r\nSubject: Oil\r\nContent-Type: text/plain; charset=latin-1\r\n\r\nGr\xfc\xdfe\r\n"
    )
    assert of(body, "a.eml").markdown == "# Oil\n\n**From:** a@e.org\n\nGrüße\n"


def test_parts_of_a_message_within_each_other_are_all_read() -> None:
    html = "--b\nContent-Type: text/html\n\n<p>first</p>\n--b--\n"
    inner = f"Content-Type: multipart/alternative; boundary=b\n\n{html}"
    status = "Content-Type: message/delivery-status\n\nStatus: 5.0.0\n"
    parts = f"--a\n{inner}--a\n{inner}--a\n{status}--a--\n"
    body = f"Subject: Oil\nContent-Type: multipart/mixed; boundary=a\n\n{parts}"
    converted = of(body, "a.eml")
    assert converted.markdown.count("first") == 2
    assert "Status: 5.0.0" in converted.markdown
    assert converted.metadata.warnings == ()


def test_restructured_text_reads_no_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret", encoding="utf-8")
    lines = [f".. {name}:: {secret}" for name in ("include", "literalinclude", "raw:: html\n   :file")]
    lines += [f".. csv-table::\n   :file: {secret}", "text"]
    assert "the secret" not in of("\n\n".join(lines), "a.rst").markdown


def test_restructured_text_with_errors_keeps_its_words() -> None:
    text = "Title\n==\n\nan *open emphasis, |unknown| and :nothing:`a word`\n\n.. figure::\n   :x: y\n"
    markdown = of(text, "a.rst").markdown
    assert all(word in markdown for word in ("Title", "open emphasis", "unknown", "a word"))


def test_entities_of_docbook_stay_within_bounds() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{"&l" + str(n - 1) + ";" if n else "ha"}">' for n in range(9))
    body = f"<!DOCTYPE article [{laughs}<!ENTITY file SYSTEM 'file:///etc/hostname'>]><article><para>x&l8;&file;&l0;"
    converted = of(f"{body}</para></article>", "a.dbk")
    assert converted.markdown == "x\\&l7;ha\n"
    assert converted.metadata.warnings == ("left out: entities of other files (1)",)


def test_attributes_of_asciidoc_stay_within_bounds() -> None:
    doubled = "".join(f":a{n}: {{a{n - 1}}}{{a{n - 1}}}\n" for n in range(1, 40))
    converted = of(f"= T\n:a0: ha\n{doubled}\n" + "{a39}\n\n" * 300, "a.adoc")
    assert len(converted.markdown) < 2_000_000


def test_the_samples_broken_in_many_ways_raise_nothing_but_typed_errors() -> None:
    outcomes = set()
    for sample in SAMPLES:
        for seed in range(6):
            chance = random.Random(f"{seed}{sample.name}")
            body = bytearray(sample.read_bytes()) + b" " * 1_000
            for _ in range(chance.randint(1, 25)):
                first, second = chance.randrange(len(body)), chance.randrange(len(body))
                body[first:first] = body[second : second + chance.randint(1, 60)]
                del body[second : second + chance.randint(0, 30)]
            try:
                outcomes.add(bool(of(bytes(body), sample.name).markdown))
            except ConversionError as error:
                outcomes.add(error.reason)
    assert outcomes <= {True, "damaged", "empty", "too_deep"}


MESSAGE = "From: a@e.org\nContent-Type: {}\n\n{}"
NESTED = "From: a@e.org\nContent-Type: message/rfc822\n\n" * 9 + "From: a@e.org\n\nx"


@pytest.mark.parametrize(
    ("name", "body", "reason"),
    [
        ("a.csv", ",,,\n", "empty"),
        ("a.ipynb", "[", "damaged"),
        ("a.ipynb", "{}", "damaged"),
        ("a.ipynb", '{"cells": ' + "[" * 100_000, "too_deep"),
        ("a.ipynb", '{"cells": []}', "empty"),
        ("a.ipynb", '{"cells": [' + ",".join(["{}"] * 20_001) + "]}", "too_large"),
        ("a.eml", "no headers at all", "damaged"),
        ("a.eml", NESTED, "too_deep"),
        ("a.eml", MESSAGE.format("multipart/mixed; boundary=x", "--x\n\n\n" * 1_001), "too_large"),
        ("a.rst", ".. comment\n", "empty"),
        ("a.dbk", "no xml at all", "damaged"),
        ("a.dbk", "<article>" + "<section>" * 300 + "x", "too_deep"),
        ("a.rtf", "{\\rtf1" + "{" * 2_000, "too_deep"),
        ("a.rtf", "{\\rtf1 }", "empty"),
        ("a.adoc", "// a comment\n", "empty"),
        ("a.1", ".TH A\n", "empty"),
        ("a.1", ".so man1/b.1\n", "empty"),
    ],
)
def test_what_cannot_be_converted_is_one_typed_error(name: str, body: str, reason: str) -> None:
    with pytest.raises(ConversionError) as caught:
        of(body, name)
    assert (caught.value.reason, caught.value.url) == (reason, URL + name)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.1", ".TH A 1\n.de X\n.X\n.X\n..\n.X\ntext\n"),
        ("a.1", ".TH A 1\n" + ".if n \\{\n" * 5_000 + "text\n"),
        ("a.1", ".TH A 1\n" + ".RS\n.IP x\n" * 5_000 + "text\n"),
        ("a.3", ".Dd x\n.Dt A 3\n" + ".Bl -tag\n.It x\n" * 5_000 + "text\n"),
        ("a.3", ".Dd x\n.Dt A 3\n.Op " + "Op " * 20_000 + "text\n"),
        ("a.adoc", "[,]\n" * 300 + "* text\n" + "".join(f"{'*' * (n % 7)} x\n" for n in range(900))),
        ("a.adoc", "text\n\n" + "".join(f"{'=' * n}\n" for n in range(4, 300))),
        ("a.adoc", "text " + "*a" * 3_000 + "_b" * 3_000 + "`c" * 3_000 + "<<" * 3_000),
        ("a.rtf", "{\\rtf1 text" + "{\\footnote x" * 900),
        ("a.rst", "text\n\n" + "".join(f"{' ' * level}- text\n\n" for level in range(150))),
    ],
    ids=[
        "endless macro",
        "open conditions",
        "man lists",
        "mdoc lists",
        "mdoc brackets",
        "AsciiDoc lists",
        "AsciiDoc blocks",
        "AsciiDoc marks",
        "notes",
        "rst lists",
    ],
)
def test_hostile_nesting_ends(name: str, body: str) -> None:
    try:
        outcome = of(body, name).markdown
    except ConversionError as error:
        outcome = error.reason
    assert outcome == "too_deep" or "text" in outcome


@pytest.mark.parametrize("mark", ["*a ", "`a ", "|a ", "a_ ", "[a ", "https://a.b/ "])
def test_a_paragraph_of_too_much_markup_stays_as_it_is_with_a_warning(mark: str) -> None:
    """Docutils takes a time that grows with the square of it."""
    few, many = (of(f"{mark * count}\n\nThe *next* one.\n", "a.rst") for count in (20, MAX_MARKUP + 1))
    assert few.metadata.warnings[:1] != many.metadata.warnings
    assert many.metadata.warnings == ("1 paragraphs hold too much markup to read: it stays as it is",)
    assert many.markdown.count("a") == mark.count("a") * (MAX_MARKUP + 1)
    assert "The *next* one." in many.markdown


@pytest.mark.parametrize(
    ("header", "bound"),
    [("To: " + "a@b.org, " * 3_000, MAX_CHARACTERS), ("Content-Type: text/plain" + ";a=b" * 400, 1_000)],
)
def test_a_long_header_is_cut_before_it_is_parsed(header: str, bound: int) -> None:
    message = message_from_string(f"{header}\n\nHello\n", policy=POLICY)
    assert [len(value) for _, value in message.raw_items()] == [bound]
    converted = of(f"Subject: Long\n{header}\n\nHello\n", "a.eml")
    assert converted.metadata.warnings == ("1 headers of the message are too long, and were cut",)
    assert "Hello" in converted.markdown
