"""Reports in every format. `REWRITE=1` writes the golden files anew: read what changed."""

import json
import os
import re
import sys
from pathlib import Path

import pypdfium2
import pytest
from lxml import html
from markdown_it import MarkdownIt

from ragcrawler.research.questions import goal_question
from ragcrawler.research.report.html.lineage_view import lineage_view
from ragcrawler.research.report.lineage import build_lineage
from ragcrawler.research.report.mermaid import mermaid_graph
from ragcrawler.research.report.report import NO_EVIDENCE, Report
from ragcrawler.research.report.write import FORMATS, write_reports
from ragcrawler.research.storage.pages import ReadPage
from tests.research.reports import FORMULA, HOSTILE, empty_report, hostile_report, small_report

GOLDEN = Path(__file__).parent / "golden"


def rendered(report: Report, name: str) -> str:
    """A report in a format, as text: of a PDF the words, of HTML all but style and script."""
    content = FORMATS[name].render(report)
    if isinstance(content, str):
        return (
            re.sub(r"<(style|script)>.*?</\1>", "", content, flags=re.DOTALL) if name == "html" else content
        )
    document = pypdfium2.PdfDocument(content)
    return "\n".join(page.get_textpage().get_text_bounded() for page in document)


@pytest.mark.parametrize("name", ["md", "csv", "json", "mermaid", "html"])
def test_a_small_report_is_as_its_golden_file(name: str) -> None:
    file = GOLDEN / FORMATS[name].file
    said = (
        rendered(small_report(), name).replace("><", ">\n<")
        if name == "html"
        else rendered(small_report(), name)
    )
    if os.environ.get("REWRITE"):
        file.write_text(said, encoding="utf-8")
    assert said == file.read_text(encoding="utf-8")


def test_a_pdf_says_the_same_and_links_to_the_quotes() -> None:
    content = FORMATS["pdf"].render(small_report())
    assert isinstance(content, bytes)
    said = rendered(small_report(), "pdf")
    for words in ("Acme sits in Lille.", "contradicted", "confirmed", "Which makers are there?", "0.0123"):
        assert words in said
    assert content == FORMATS["pdf"].render(small_report())
    assert b"https://a.org/acme#:~:text=Acme%20sits%20in%20Lille." in content


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"csv"}))
def test_a_research_that_found_nothing_says_so_and_no_more(name: str) -> None:
    said = rendered(empty_report(), name)
    assert NO_EVIDENCE in said
    assert "Table" not in said
    assert "Text" not in said
    assert "Quotes" not in said


def test_the_table_of_a_research_that_found_nothing_is_its_head() -> None:
    assert rendered(empty_report(), "csv").count("\n") == 1


def test_html_holds_text_of_strangers_as_text_alone() -> None:
    content = FORMATS["html"].render(hostile_report())
    assert isinstance(content, str)
    tree = html.fromstring(content)
    assert len(tree.findall(".//script")) == 1
    assert tree.findtext(".//h1") == f"Makers {HOSTILE}"
    assert all(url.startswith(("https://", "#")) for url in tree.xpath("//@href"))
    assert not tree.xpath("//@src | //@style | //@*[starts-with(name(), 'on')]")
    assert "\x1b" not in content


def test_html_runs_and_loads_nothing_that_is_not_in_it() -> None:
    content = FORMATS["html"].render(small_report())
    assert isinstance(content, str)
    (policy,) = html.fromstring(content).xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    links = html.fromstring(content).xpath("//a[not(starts-with(@href, '#'))]")
    assert links
    assert {link.get("rel") for link in links} == {"noreferrer noopener"}


def test_every_way_within_the_html_leads_somewhere_and_back() -> None:
    content = FORMATS["html"].render(small_report())
    tree = html.fromstring(str(content))
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert {url[1:] for url in tree.xpath("//@href[starts-with(., '#')]")} <= set(ids)
    (quote,) = tree.xpath("//li[@id='quote-3']")
    back = [url[1:] for url in quote.xpath(".//small[@class='back']/a/@href")]
    assert [tree.get_element_by_id(each).tag for each in back] == ["a", "li"]
    assert all(tree.get_element_by_id(each).xpath("descendant-or-self::a[@href='#quote-3']") for each in back)


def test_a_lineage_of_many_pages_is_shown_as_far_as_it_is_next_to_the_goal() -> None:
    goal = goal_question("goal")
    pages = [ReadPage(f"https://a.org/{number}", "h", "A page", goal.id) for number in range(2_500)]
    tree = lineage_view(build_lineage([goal], pages, ()), {}, {})
    assert len(tree.xpath("//li[@id]")) == 2_000
    assert tree.xpath("string(li[last()])") == "and 501 more"


def test_markdown_holds_no_markup_of_strangers() -> None:
    content = FORMATS["md"].render(hostile_report())
    assert isinstance(content, str)
    shown = html.fromstring(MarkdownIt("commonmark").enable("table").render(content))
    assert not shown.xpath("//script | //strong | //code | //ol")
    assert all(url.startswith(("https://", "#")) for url in shown.xpath("//@href"))
    (row,) = shown.xpath("//tbody/tr")
    assert len(row) == 4
    assert FORMULA in row.text_content()


def test_a_spreadsheet_finds_no_formula() -> None:
    assert f"""'{FORMULA.replace('"', '""')}""" in rendered(hostile_report(), "csv")


def test_a_graph_holds_no_directive_and_no_mark_of_strangers() -> None:
    graph = mermaid_graph(hostile_report())
    for mark in ("%%", "<script", "{", "`", '"]x', "\x1b"):
        assert mark not in graph
    statement = re.compile(r'    (\w+(\["[^"\]]*"\]|\(\["[^"\]]*"\]\))|\w+ (-->|-\.->) \w+)')
    assert all(statement.fullmatch(line) for line in graph.splitlines()[1:])


def test_a_pdf_shows_markup_of_strangers_as_it_stands() -> None:
    assert "#sys.inputs $x$" in rendered(hostile_report(), "pdf")


def test_who_comes_later_leads_to_nobody_before() -> None:
    """Two pages that link to each other: the one that was read first is above."""
    report = small_report()
    nodes = {node.id: node for node in build_lineage(report.questions, report.pages[::-1], ())}
    assert len(nodes) == len(report.questions) + len(report.pages)
    assert nodes["p2"].parent == "q3"  # its parent page is read after it here
    assert nodes["p3"].parent == "q2"


def test_all_formats_are_written_in_one_folder(tmp_path: Path) -> None:
    written = write_reports(small_report(), tmp_path / "r")
    assert sorted(path.name for path in written) == sorted(each.file for each in FORMATS.values())
    report = json.loads((tmp_path / "r" / "report.json").read_text())
    assert report["counts"]["tokens"] == 3456


def test_without_typst_the_old_pdf_goes_and_the_others_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "report.pdf").write_bytes(b"old")
    monkeypatch.setitem(sys.modules, "typst", None)
    assert len(write_reports(small_report(), tmp_path)) == len(FORMATS) - 1
    assert not (tmp_path / "report.pdf").exists()
    assert "ragcrawler[research-pdf]" in caplog.text
