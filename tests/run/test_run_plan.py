"""The tally of a plan counts each URL once."""

from ragcrawler.frontier.ledger import UrlLedger
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.frontier.target import Target
from ragcrawler.run.reporting.plan import PlanTally


def test_a_url_that_was_passed_over_and_then_linked_to_is_counted_once() -> None:
    ledger = UrlLedger(SqliteState().urls)
    tally = PlanTally("planned", lambda url: "", lambda url: "")
    ledger.observers.add(tally)
    for path in ("later", "never"):
        assert ledger.mark_nofollow(Target(f"https://a.example/{path}"))
    assert ledger.add(Target("https://a.example/later"))
    ledger.keep("https://a.example/later")
    assert not ledger.mark_nofollow(Target("https://a.example/later"))
    ledger.close("finished")
    rows = {(row.fate, row.reason): (row.count, row.examples) for row in tally.plan({}).rows}
    assert rows == {
        ("take", "fetched"): (1, ("https://a.example/later",)),
        ("skip", "nofollow"): (1, ("https://a.example/never",)),
    }
