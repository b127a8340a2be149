"""A research while it runs, on a terminal and in a browser."""

import io
from pathlib import Path

from lxml import html
from rich.console import Console

from ragcrawler.llm.calls.budget import CallBudget
from ragcrawler.llm.calls.ledger import CallLedger
from ragcrawler.llm.calls.usage import Usage
from ragcrawler.research.questions import goal_question
from ragcrawler.research.report.html import live_page
from ragcrawler.research.report.live import LiveState, live_terminal
from ragcrawler.research.report.report import Report
from ragcrawler.research.storage.pages import ReadPage
from ragcrawler.run.research.request import account_of
from ragcrawler.run.research.research_run import LivePage
from ragcrawler.run.research.spend import read_spend
from tests.research.reports import HOSTILE, hostile_report, small_report


def state_of(report: Report, end_reason: str = "") -> LiveState:
    return LiveState(
        report.record,
        report.questions,
        report.pages,
        tuple(report.facts.values()),
        waiting=7,
        under_way=("https://d.org/",),
        spend=report.counts,
        end_reason=end_reason,
    )


def shown_on_a_terminal(state: LiveState) -> list[str]:
    screen = io.StringIO()
    Console(file=screen, width=60).print(live_terminal(state))
    return [line.rstrip() for line in screen.getvalue().splitlines()]


def test_a_terminal_shows_questions_queue_facts_and_spend() -> None:
    lines = shown_on_a_terminal(state_of(small_report()))
    assert lines[:3] == [
        "0 facts, 0 pages: Makers of wind turbines",
        "├── 0 facts, 3 pages: Which makers are there?",
        "└── 0 facts, 1 page: What is the city of Acme?",
    ]
    assert lines[3] == "> https://d.org/"
    assert lines[4].startswith("3 questions, 4 pages read, 7 queued, 1 under way, 8 facts, ")
    assert lines[5].startswith("12 calls of the language model, 3456 tokens, 0.0123 US doll")
    assert len(lines) == 6


def test_a_terminal_shows_text_of_strangers_in_one_line_without_its_markup() -> None:
    state = state_of(hostile_report())
    assert "\x1b" not in "".join(shown_on_a_terminal(state))
    assert len(shown_on_a_terminal(state)) == 4


def test_the_questions_that_are_busy_now_are_shown_with_what_led_to_them() -> None:
    goal = goal_question("goal")
    old = tuple(goal.child(f"old {number}", "seed") for number in range(20))
    lead = old[15].child("new", "lead")
    report = small_report()
    state = LiveState(report.record, (goal, *old, lead), (ReadPage("https://a.org/", "h", "", lead.id),))
    assert [(each.question.text, each.level) for each in state.tree(4)] == [
        ("goal", 0),
        ("old 0", 1),
        ("old 15", 1),
        ("new", 2),
    ]
    assert "and 12 more questions" in shown_on_a_terminal(state)[-2]


def test_a_running_page_is_loaded_again_and_a_final_one_leads_to_the_report() -> None:
    running = html.fromstring(live_page(state_of(small_report())))
    assert running.xpath("//meta[@http-equiv='refresh']")
    assert "Running." in running.text_content()
    final = html.fromstring(live_page(state_of(small_report(), "queue_empty"), "report.html"))
    assert not final.xpath("//meta[@http-equiv='refresh']")
    assert final.xpath("//a[@href='report.html']")
    assert "Ended: queue_empty." in final.text_content()


def test_the_page_holds_text_of_strangers_as_text_alone() -> None:
    tree = html.fromstring(live_page(state_of(hostile_report())))
    assert len(tree.findall(".//script")) == 1
    assert tree.findtext(".//h1") == f"Makers {HOSTILE}"


async def test_the_page_is_written_over_and_its_state_kept(tmp_path: Path) -> None:
    page = LivePage(tmp_path / "r")
    assert page.state is None
    for report in (hostile_report(), small_report()):
        await page.show(state_of(report), is_final=False)
    assert page.state == state_of(small_report())
    assert [path.name for path in (tmp_path / "r").iterdir()] == ["live.html"]
    assert "Which makers are there?" in (tmp_path / "r" / "live.html").read_text()


def test_the_spend_of_a_research_is_that_of_its_account(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    assert read_spend(path, "r1") == {}
    assert not path.exists()
    ledger = CallLedger(path)
    for number, research in enumerate(("r1", "r1", "r2")):
        key = bytes([number])
        ledger.reserve(key, account_of(research), "m", Usage(50, 50), 1_000, CallBudget())
        ledger.pay(key, Usage(20, 10), 2_500, "{}")
    ledger.close()
    expected = {"calls of the language model": 2, "tokens": 60, "US dollars": 0.005}
    assert read_spend(path, "r1") == expected
