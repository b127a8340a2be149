import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragcrawler.frontier.ledger import UrlLedger
from ragcrawler.frontier.states.protocol import Status, UrlCounts
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.frontier.target import Target

URL = "https://a.org/"


def test_a_url_is_seen_for_the_first_time_once() -> None:
    ledger = UrlLedger(SqliteState().urls)
    assert [ledger.add(Target(URL)), ledger.add(Target(URL)), ledger.add(Target(f"{URL}x"))] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("events", "fate"),
    [
        ([("fetched", "")], ("fetched", "")),
        ([("skipped", "junk")], ("skipped", "junk")),
        ([("fetched", ""), ("failed", "timed_out")], ("failed", "timed_out")),
        ([("fetched", ""), ("skipped", "duplicate")], ("skipped", "duplicate")),
        ([("skipped", "junk"), ("fetched", "")], ("skipped", "junk")),
        ([("failed", "http_500"), ("fetched", "")], ("failed", "http_500")),
        ([("failed", "damaged"), ("skipped", "shutdown")], ("failed", "damaged")),
        ([("failed", "damaged"), ("failed", "shutdown")], ("failed", "damaged")),
    ],
)
def test_a_fetched_page_can_still_be_lost_and_the_first_loss_stands(
    events: list[tuple[Status, str]], fate: tuple[Status, str]
) -> None:
    ledger = UrlLedger(SqliteState().urls)
    for event, reason in events:
        report(ledger, event, URL, reason)
    assert ledger.status(URL) == fate
    assert ledger.counts().seen == 1


def test_closing_skips_what_is_open_and_nothing_else() -> None:
    ledger = UrlLedger(SqliteState().urls)
    for name in "abcd":
        ledger.add(Target(name))
    ledger.keep("a")
    ledger.fail("b", "timed_out")
    assert ledger.close("shutdown") == 2
    assert ledger.counts() == UrlCounts(4, 0, 1, {"shutdown": 2}, {"timed_out": 1})
    assert ledger.close("shutdown") == 0


def test_a_url_that_was_never_seen_has_no_fate() -> None:
    assert UrlLedger(SqliteState().urls).status(URL) is None


EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["seen", "fetched", "skipped", "failed", "close"]),
        st.sampled_from(["u", "v", "w", "x", "y"]),
        st.sampled_from(["junk", "robots", "timed_out"]),
    )
)


@settings(deadline=None)
@given(EVENTS)
def test_the_counts_add_up_after_every_event(events: list[tuple[str, str, str]]) -> None:
    ledger = UrlLedger(SqliteState().urls)
    entered: set[str] = set()
    for event, url, reason in events:
        if event == "close":
            ledger.close(reason)
        else:
            entered.add(url)
            report(ledger, event, url, reason)
        counts = ledger.counts()
        parts = [counts.open, counts.fetched, *counts.skipped.values(), *counts.failed.values()]
        assert counts.seen == len(entered) == sum(parts)
        assert min(parts) >= 0


@settings(deadline=None)
@given(EVENTS)
def test_the_counts_are_those_of_the_fates(events: list[tuple[str, str, str]]) -> None:
    ledger = UrlLedger(SqliteState().urls)
    for event, url, reason in events:
        if event != "close":
            report(ledger, event, url, reason)
    ledger.close("end")
    fates = [fate for url in "uvwxy" if (fate := ledger.status(url))]
    counts = ledger.counts()
    assert counts.open == 0
    assert counts.fetched == fates.count(("fetched", ""))
    for kind, by_reason in (("skipped", counts.skipped), ("failed", counts.failed)):
        assert by_reason == {reason: fates.count((kind, reason)) for fate, reason in fates if fate == kind}


def report(ledger: UrlLedger, event: str, url: str, reason: str) -> None:
    if event == "seen":
        ledger.add(Target(url))
    elif event == "fetched":
        ledger.keep(url)
    elif event == "skipped":
        ledger.skip(url, reason)
    else:
        ledger.fail(url, reason)


def test_what_may_not_be_followed_is_skipped_until_another_link_brings_it() -> None:
    ledger = UrlLedger(SqliteState().urls)
    ledger.mark_nofollow(Target("https://a.org/x"))
    assert ledger.status("https://a.org/x") == ("skipped", "nofollow")
    assert ledger.counts().skipped == {"nofollow": 1}
    assert ledger.add(Target("https://a.org/x"))
    assert ledger.status("https://a.org/x") == ("open", "")
    ledger.keep("https://a.org/x")
    ledger.mark_nofollow(Target("https://a.org/x"))
    assert ledger.counts().fetched == 1
    assert not ledger.counts().skipped
    assert not ledger.add(Target("https://a.org/x"))


def test_what_nobody_may_follow_stays_skipped_at_the_end() -> None:
    ledger = UrlLedger(SqliteState().urls)
    ledger.mark_nofollow(Target("https://a.org/x"))
    assert ledger.close("finished") == 0
    assert ledger.counts().skipped == {"nofollow": 1}
