"""A running research as HTML, which a browser loads again and again."""

from lxml import etree

from ragcrawler.research.report.html.report_page import counts_view
from ragcrawler.research.report.html.research_page import research_page
from ragcrawler.research.report.lineage import counted
from ragcrawler.research.report.live.state import LiveState
from ragcrawler.research.report.quote_text import shown_quote
from ragcrawler.retrieval.formatting.html import Child, element, link

_REFRESH_SECONDS = 3
_NEWEST_FACTS = 12


def live_page(state: LiveState, report_file: str = "") -> str:
    """One file for a browser.

    Args:
        state: of the research.
        report_file: name of the report in the same folder, once there is one; the page is then final.
    """
    goal = state.record.goal
    content = [
        element("h1", goal),
        element("p", *_status(state, report_file)),
        counts_view({**state.found, **state.spend}),
        element("h2", "Questions"),
        _questions(state),
        element("h2", "Under way"),
        element("ul", *(element("li", link(url, url)) for url in state.under_way)),
        element("h2", "Newest facts"),
        _facts(state),
    ]
    return research_page(goal, content, 0 if report_file else _REFRESH_SECONDS)


def _status(state: LiveState, report_file: str) -> list[Child]:
    if report_file:
        return [f"Ended: {state.end_reason}. ", element("a", "The report", href=report_file), "."]
    return [f"Ending: {state.end_reason}." if state.end_reason else "Running."]


def _questions(state: LiveState) -> etree._Element:
    lists = [element("ul", class_="lineage")]
    for each in state.tree():
        del lists[each.level + 1 :]
        if len(lists) == each.level:
            lists.append(_list_in(lists[-1][-1]))
        found = f" {counted(each.facts, 'fact')}, {counted(each.pages, 'page')}"
        line = element("span", each.question.text, element("small", found), class_="leaf")
        lists[each.level].append(element("li", line))
    return lists[0]


def _list_in(item: etree._Element) -> etree._Element:
    below = element("ul")
    item.append(below)
    return below


def _facts(state: LiveState) -> etree._Element:
    newest = [fact for fact in state.facts if fact.is_shown][-_NEWEST_FACTS:][::-1]
    lines = (
        element(
            "li",
            f"{', '.join(fact.row)}: {fact.path} is {fact.value}. ",
            element("q", shown_quote(fact.quote)),
        )
        for fact in newest
    )
    return element("ul", *lines)
