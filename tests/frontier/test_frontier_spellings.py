"""Spellings of one page are joined by rule, once the rule has been tried out on the site."""

from dataclasses import replace

import pytest

from ragcrawler.frontier import Target, UrlRecord
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.frontier.url_variants import Spellings

PLAIN = "https://a.org/docs"
SESSIONS = [f"{number:032x}" for number in range(10**30, 10**30 + 20)]


@pytest.fixture
def spellings() -> Spellings:
    state = SqliteState()
    return Spellings(state.notes, state.urls)


def tried(spellings: Spellings, url: str) -> bool:
    return spellings.try_out(Target(url))


def test_a_spelling_that_was_joined_is_given_once_while_the_page_is_open(spellings: Spellings) -> None:
    spellings.ask(f"{PLAIN}?utm_source=a")
    for url in (f"{PLAIN}?utm_source=a", PLAIN, f"{PLAIN}?utm_source=b"):
        assert not tried(spellings, url)
    assert spellings.settle(f"{PLAIN}?utm_source=a") == PLAIN
    assert spellings.settle(PLAIN) == ""
    assert spellings.joined_count() == 2


@pytest.mark.parametrize(("is_open", "other"), [(True, f"{PLAIN}?utm_source=a"), (False, "")])
def test_a_page_asked_for_by_its_first_spelling_leaves_no_note_and_gives_another_while_it_is_open(
    is_open: bool, other: str
) -> None:
    state = SqliteState()
    spellings = Spellings(state.notes, state.urls)
    record = UrlRecord(spellings.key(PLAIN), PLAIN, "a.org")
    state.urls.add(record)
    spellings.ask(PLAIN)
    assert list(state.notes.entries()) == []
    if not is_open:
        state.urls.decide(replace(record, status="fetched"))
    assert not tried(spellings, f"{PLAIN}?utm_source=a")
    assert spellings.settle(PLAIN) == other


def pairs(rule: str) -> list[tuple[str, str]]:
    """URLs that a rule joins."""
    return [
        {
            "www": (f"{PLAIN}/{number}", f"https://www.a.org/docs/{number}"),
            "order": (f"{PLAIN}?a={number}&b=2", f"{PLAIN}?b=2&a={number}"),
            "session": (f"{PLAIN}/{number}", f"{PLAIN}/{number}?sid={session}"),
        }[rule]
        for number, session in enumerate(SESSIONS[:8])
    ]


RULES = pytest.mark.parametrize("rule", ["www", "order", "session"])


@RULES
def test_after_three_pairs_with_one_text_the_others_are_joined(spellings: Spellings, rule: str) -> None:
    for number, (first, other) in enumerate(pairs(rule)):
        spellings.ask(first)
        spellings.compare(first, number)
        assert tried(spellings, other) is (number < 3)
        assert spellings.is_apart(other) is (number < 3)
        if number < 3:
            assert spellings.compare(other, number) == (True, [])
    assert spellings.joined_count() == 5


@RULES
def test_after_one_pair_with_two_texts_each_is_a_page(spellings: Spellings, rule: str) -> None:
    (first, other), *rest = pairs(rule)
    spellings.ask(first)
    spellings.compare(first, 1)
    assert tried(spellings, other)
    assert spellings.compare(other, 2) == (False, [])
    for first, other in rest:
        spellings.ask(first)
        assert tried(spellings, other)
        assert spellings.key(first) != spellings.key(other)


@RULES
def test_what_was_found_during_the_trials_is_asked_for_if_the_rule_does_not_hold(
    spellings: Spellings, rule: str
) -> None:
    for first, _ in pairs(rule):
        spellings.ask(first)
        spellings.compare(first, 1)
    others = [Target(other, depth=2) for _, other in pairs(rule)]
    assert [spellings.try_out(target) for target in others] == [True] * 3 + [False] * 5
    assert spellings.compare(others[0].url, 1) == (True, [])
    is_known, released = spellings.compare(others[1].url, 2)
    assert not is_known
    assert sorted(released, key=lambda target: target.url) == sorted(
        others[3:], key=lambda target: target.url
    )
    assert all(spellings.try_out(target) for target in released)


def deferred_texts(state: SqliteState) -> int:
    return sum(note.form == "text" and note.kind.startswith("deferred") for note in state.notes.entries())


def test_what_was_found_during_the_trials_is_forgotten_once_the_rule_holds() -> None:
    state = SqliteState()
    spellings = Spellings(state.notes, state.urls)
    for number, (first, other) in enumerate(pairs("www")):
        spellings.ask(first)
        spellings.compare(first, number)
        tried(spellings, other)
    assert deferred_texts(state) == 5
    for number, (_, other) in enumerate(pairs("www")[:3]):
        assert spellings.compare(other, number) == (True, [])
    assert deferred_texts(state) == 0


def test_the_trial_may_come_before_the_first_spelling(spellings: Spellings) -> None:
    first, other = pairs("www")[0]
    spellings.ask(first)
    assert tried(spellings, other)
    assert spellings.compare(other, 2) == (False, [])
    assert spellings.compare(first, 1) == (False, [])
    for first, other in pairs("www")[1:]:
        spellings.ask(first)
        assert tried(spellings, other)


def test_a_redirect_to_the_first_spelling_counts_as_one_text(spellings: Spellings) -> None:
    for number, (first, other) in enumerate(pairs("www")):
        spellings.ask(first)
        assert tried(spellings, other) is (number < 3)
        spellings.add_redirect(other, first)


def test_the_rules_are_tried_out_on_each_site_by_themselves(spellings: Spellings) -> None:
    for number in range(4):
        spellings.ask(f"https://{number}.org/x")
        assert tried(spellings, f"https://www.{number}.org/x")


def test_the_spelling_that_answered_is_the_one_to_compare_with(spellings: Spellings) -> None:
    spellings.ask(PLAIN)
    spellings.set_reference("https://www.a.org/docs")
    assert not tried(spellings, "https://www.a.org/docs")
