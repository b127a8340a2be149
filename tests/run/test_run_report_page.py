"""The report of a run as a page: what it shows, that hostile text stays text, and its size."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from ragcrawler.frontier.states.protocol import UrlCounts
from ragcrawler.run.indexing.deletion import GoneDocument, SiteDeletion
from ragcrawler.run.reporting.activity import CrawlActivity
from ragcrawler.run.reporting.activity.time_series import TimeSeries, clock
from ragcrawler.run.reporting.folder import RunFolder, RunNotFoundError, find_run
from ragcrawler.run.reporting.html import run_page
from ragcrawler.run.reporting.html.plots import (
    break_seconds,
    cumulated_points,
    nice_top,
    time_plot,
)
from ragcrawler.run.reporting.read_report import read_report
from ragcrawler.run.reporting.recorded_run import ReportUnreadableError, read_run
from ragcrawler.run.reporting.report import DocumentCounts, RunReport
from ragcrawler.run.reporting.stage_times import StageTime
from ragcrawler.run.reporting.worker_result import CrawlWorker
from tests.run.test_run_activity import BEGAN, seen
from tests.run.test_run_report import WHOLE

HOSTILE = "<script>alert(1)</script>\u202e\x1b[2J"
EVIL = "javascript:alert(2)//"


def whole(**changes: Any) -> RunReport:
    return dataclasses.replace(WHOLE, activity=seen(5), **changes)


def left(output: Path, name: str, report: RunReport | None = None) -> RunFolder:
    """A run's folder with its report."""
    folder = RunFolder(output / "runs" / name)
    folder.make()
    if report is not None:
        folder.report_json.write_text(json.dumps(report.to_json()), "utf-8")
    return folder


def failure(number: int, **changes: Any) -> str:
    values = {"url": f"https://a.example/{number}", "stage": "fetch", "reason": "http_500", "error_type": ""}
    return json.dumps({**values, "message": "no", "stack_trace": "", "attempts": 2, **changes}) + "\n"


def shown(folder: RunFolder) -> html.HtmlElement:
    return html.document_fromstring(run_page(read_run(folder)))


def text_of(tree: html.HtmlElement, section: str) -> str:
    return " ".join(" ".join(tree.get_element_by_id(section).itertext()).split())


@pytest.mark.parametrize(
    ("section", "changes", "text"),
    [
        ("urls", {}, "fetched7 skipped: junk2 skipped: robots1"),
        ("urls", {"pages": UrlCounts(3, 0, 1, {"shutdown": 1}, {"http_500": 1})}, "failed: http_500 1"),
        ("statuses", {}, "200 5"),
        ("durations", {}, "2.00 s on average, 4.00 s at most"),
        ("durations", {}, "https://a.example/44.002.00"),
        ("chunks", {}, "512 to 1,024 5"),
        ("validation", {}, "tokens of a chunk, on average225"),
        ("duplicates", {"pages": UrlCounts(3, 0, 1, {"near_duplicate": 2}, {})}, "near_duplicate 2"),
        ("changes", {"documents": DocumentCounts(new=900)}, "and 895 more"),
        ("time", {"times": {"convert": StageTime(3, 2.25, 1.0)}}, "convert 3 pages 2.2 1.0"),
        ("workers", {"workers": (CrawlWorker("run-1", "host-a", "", 3.0, "finished"),)}, "host-afinished3.0"),
        ("pages", {}, "html-projection 7"),
        ("course", {}, "fetched (5)"),
    ],
)
def test_a_section_shows_its_numbers(
    tmp_path: Path, section: str, changes: dict[str, Any], text: str
) -> None:
    found = text_of(shown(left(tmp_path, "r1", whole(**changes))), section)
    assert text.replace(" ", "") in found.replace(" ", "")


@pytest.mark.parametrize("section", ["duplicates", "failures", "proxies", "time", "workers"])
def test_a_section_without_anything_to_tell_is_left_out(tmp_path: Path, section: str) -> None:
    tree = shown(left(tmp_path, "r1", whole()))
    assert section not in tree.xpath("//section/@id")
    assert f"#{section}" not in tree.xpath("//nav//a/@href")


def test_gone_pages_are_listed_with_what_became_of_them(tmp_path: Path) -> None:
    gone = GoneDocument("d", "https://a.example/gone", "http_404", 2)
    site = SiteDeletion("a.example", 9, (), (gone,), is_braked=True)
    text = text_of(shown(left(tmp_path, "r1", whole(deletions=(site,)))), "changes")
    assert "https://a.example/gone http_404 in 2 runs, kept by the brake" in text


def test_it_is_set_beside_the_last_crawl_of_its_kind(tmp_path: Path) -> None:
    left(tmp_path, "r1", whole(pages=UrlCounts(9, 0, 4, {}, {})))
    left(tmp_path, "r2", whole(spider="files"))
    left(tmp_path, "r3", whole(is_dry=True))
    (left(tmp_path, "r4").path / "report.json").write_text("{")
    left(tmp_path, "r5", whole(end="shutdown"))
    tree = shown(left(tmp_path, "r6", whole(earlier_runs=("r5",))))
    assert "pagesfetched47+3" in text_of(tree, "changes").replace(" ", "")


def test_a_crawl_that_went_on_shows_all_its_runs(tmp_path: Path) -> None:
    left(tmp_path, "r1", dataclasses.replace(WHOLE, activity=seen(3, began=BEGAN - 90_000)))
    left(tmp_path, "r2")  # killed
    tree = shown(left(tmp_path, "r3", whole(earlier_runs=("r1", "r2"))))
    assert "fetched (8)" in text_of(tree, "course")
    assert "went on 1 times after a break" in text_of(tree, "course")
    assert len(tree.find_class("break")) == 2
    assert "200 8" in text_of(tree, "statuses")


def test_a_run_of_an_older_version_is_shown_by_its_feed(tmp_path: Path) -> None:
    old = {name: value for name, value in WHOLE.to_json().items() if name in {"pages", "spider", "chunks"}}
    folder = left(tmp_path, "r1")
    folder.report_json.write_text(json.dumps({**old, "field_of_another_time": 1}), "utf-8")
    document = {"url": "u", "fetched_at": "2026-01-02T03:04:05+00:00", "chunks": [{"token_count": 77}] * 2}
    folder.documents.write_text(json.dumps(document) + "\n" + '{"cut', "utf-8")
    tree = shown(folder)
    assert "By the times at which the documents in the feed were fetched." in text_of(tree, "course")
    assert "Pages fetched (1)" in text_of(tree, "course")
    assert "64 to 96 2" in text_of(tree, "chunks")
    assert not tree.xpath("//section[@id='statuses']")


def test_a_killed_run_is_shown_by_what_it_left(tmp_path: Path) -> None:
    folder = left(tmp_path, "r1")
    folder.failures.write_text(failure(1) + failure(2, reason="timeout") + '{"url": "cut', "utf-8")
    tree = shown(folder)
    assert "This run left no report" in tree.text_content()
    assert "fetch: http_500 1 fetch: timeout 1" in text_of(tree, "failures")


def test_a_damaged_report_is_refused_by_name(tmp_path: Path) -> None:
    folder = left(tmp_path, "r1")
    for text in ("{", "[]", '{"activity": {"series": 1}}'):
        folder.report_json.write_text(text, "utf-8")
        with pytest.raises(ReportUnreadableError, match=r"report\.json is damaged"):
            read_run(folder)


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    activity = seen(1)
    for name in ("new", "changed", "duplicates"):
        activity.list_page(name, EVIL + HOSTILE, HOSTILE)
        activity.list_page(name, "https://user:secret@a.example/", HOSTILE)
        activity.list_page(name, "https://a.example/" + "<" * 3_000, HOSTILE)
    activity.note_duration(EVIL, 99, 1)
    report = dataclasses.replace(
        WHOLE,
        spider=HOSTILE,
        refusal=HOSTILE,
        activity=activity,
        documents=DocumentCounts(new=4, changed=3),
        pages=UrlCounts(9, 0, 1, {HOSTILE: 1, "near_duplicate": 3}, {HOSTILE: 2}),
        converters={HOSTILE: 1},
        workers=(CrawlWorker(HOSTILE, HOSTILE),),
        times={"convert": StageTime()},
        summaries_stopped=HOSTILE,
    )
    folder = left(tmp_path, "r1", report)
    folder.failures.write_text(failure(1, url=EVIL, stage=HOSTILE, reason=HOSTILE, message=HOSTILE), "utf-8")
    written = run_page(read_run(folder))
    tree = html.document_fromstring(written)
    assert not list(tree.iter("script", "img", "iframe", "object", "base", "form"))
    assert not [name for each in tree.iter() for name in each.attrib if name.startswith(("on", "style"))]
    links = [each.get("href") for each in tree.iter("a")]
    assert all(each.startswith(("#", "https://a.example/")) for each in links)
    assert not any(unwanted in written for unwanted in ("secret", "\u202e", "\x1b"))
    assert "<script>alert(1)</script>" in tree.text_content()
    policy = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in policy


@pytest.mark.parametrize("tail", ["/a/page/of/the/usual/length", "&" * 1_500])
def test_ten_thousand_pages_are_a_page_under_500_kb(tmp_path: Path, tail: str) -> None:
    activity = CrawlActivity(BEGAN)
    for number in range(10_000):
        url = f"https://a.example/{number}{tail}"
        activity.note("pages", now=BEGAN + number / 3)
        activity.note_duration(url, number / 100, 0.1)
        activity.statuses[str(number % 1000)] += 1
        for name in ("new", "changed", "duplicates"):
            activity.list_page(name, url, "<title>" * 40)
    counts = {f"reason_{number}": 1 for number in range(3_000)}
    report = dataclasses.replace(
        WHOLE,
        pages=UrlCounts(10_000, 0, 1, {**counts, "near_duplicate": 4_000}, counts),
        documents=DocumentCounts(new=5_000, changed=5_000),
        activity=activity,
    )
    folder = left(tmp_path, "r1", report)
    folder.failures.write_text(
        "".join(
            failure(number, url=f"https://a.example/{number}{tail}", message="&" * 900)
            for number in range(5_000)
        )
    )
    written = run_page(read_run(folder))
    assert len(written.encode()) < 500_000
    text = html.document_fromstring(written).text_content()
    assert "10,000" in text
    assert "in failures.jsonl" in text


def test_all_names_lead_to_their_sections_and_every_table_has_its_heads(tmp_path: Path) -> None:
    tree = shown(left(tmp_path, "r1", whole()))
    for link in tree.xpath("//nav//a/@href"):
        assert tree.get_element_by_id(link.removeprefix("#")).tag == "section"
    for region in tree.find_class("wide"):
        assert (region.get("tabindex"), region.get("role")) == ("0", "region")
        assert region.get("aria-label")
    for drawing in tree.iter("svg"):
        assert drawing.get("aria-hidden") == "true" or drawing.get("aria-label")


def test_counts_go_on_where_the_run_before_stopped() -> None:
    one, other = TimeSeries(("pages",), 0), TimeSeries(("pages",), 500)
    one.add("pages", 1, 4)
    other.add("pages", 500, 2)
    assert cumulated_points([one, other], "pages") == [(0, 0), (1, 0), (2, 4), (3, 6)]
    assert cumulated_points([one], "failed") == [(0, 0), (1, 0), (2, 0)]
    assert list(break_seconds([one, other])) == [2]
    assert time_plot("Pages", [TimeSeries((), 0)], {"fetched": "pages"}).tag == "figure"


@pytest.mark.parametrize(
    ("count", "top"), [(0, 2), (1, 2), (3, 5), (10, 10), (11, 20), (501, 1_000), (12_000, 20_000)]
)
def test_the_axis_ends_at_a_round_number(count: int, top: int) -> None:
    assert nice_top(count) == top


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59.4, "59 s"), (61, "1:01 min"), (3_599.6, "1:00 h"), (7_260, "2:01 h")],
)
def test_a_duration_is_told_as_people_do(seconds: float, text: str) -> None:
    assert clock(seconds) == text


def test_a_report_is_read_back_as_it_was_written() -> None:
    report = whole(
        deletions=(SiteDeletion("a", 1, (GoneDocument("d", "u", "r", 1),), ()),),
        times={"convert": StageTime(1, 2.0, None)},
        workers=(CrawlWorker("r"),),
    )
    written = json.dumps(report.to_json())
    assert json.loads(json.dumps(read_report(json.loads(written)).to_json())) == json.loads(written)


def test_a_run_is_found_by_its_name(tmp_path: Path) -> None:
    first, last = left(tmp_path, "r1"), left(tmp_path, "r2")
    assert find_run(tmp_path, "r1") == first
    assert find_run(tmp_path, "last") == last
    for name in ("r3", "../r1", ""):
        with pytest.raises(RunNotFoundError, match="the last ones are r1, r2"):
            find_run(tmp_path, name)
