"""The tally of a plan counts each URL once."""

from ragcrawler.run.reporting.plan import PlanTally
from ragcrawler.urls.ledger import UrlLedger


def test_a_url_that_was_passed_over_and_then_linked_to_is_counted_once() -> None:
    ledger = UrlLedger()
    ledger.observer = tally = PlanTally("planned", lambda url: "", lambda url: "")
    for path in ("later", "never"):
        assert ledger.passed_over(f"https://a.example/{path}")
    assert ledger.seen("https://a.example/later")
    ledger.fetched("https://a.example/later")
    assert not ledger.passed_over("https://a.example/later")
    ledger.close("finished")
    rows = {(row.fate, row.reason): (row.count, row.examples) for row in tally.plan().rows}
    assert rows == {
        ("take", "fetched"): (1, ("https://a.example/later",)),
        ("skip", "nofollow"): (1, ("https://a.example/never",)),
    }
