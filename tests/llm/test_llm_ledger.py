"""The ledger of calls: what is entered, what is paid, and what a killed process leaves."""

import sqlite3
from pathlib import Path

import pytest

from ragcrawler.llm.calls.budget import BudgetSpentError, CallBudget
from ragcrawler.llm.calls.ledger import CallLedger
from ragcrawler.llm.calls.usage import Usage
from ragcrawler.llm.protocol import LanguageModelError

_NO_BOUND = CallBudget()
_EXPECTED = Usage(100, 50)


def _reserve(ledger: CallLedger, key: bytes = b"a", budget: CallBudget = _NO_BOUND, cost: int = 10) -> None:
    ledger.reserve(key, "account", "model", _EXPECTED, cost, budget)


def test_what_is_paid_is_kept_with_its_answer(tmp_path: Path) -> None:
    ledger = CallLedger(tmp_path / "calls.sqlite")
    _reserve(ledger)
    assert ledger.answer(b"a") is None
    ledger.pay(b"a", Usage(90, 20, 30), 7, '{"x": 1}')
    ledger.close()
    again = CallLedger(tmp_path / "calls.sqlite")
    assert again.answer(b"a") == '{"x": 1}'
    sums = again.sums("account")
    assert (sums.calls, sums.paid, sums.usage, sums.micro_dollars) == (1, 1, Usage(90, 20, 30), 7)
    assert (sums.reserved_tokens, sums.presumed_tokens) == (0, 0)


def test_a_commit_that_fails_leaves_no_transaction_open(tmp_path: Path) -> None:
    """What is paid later would be part of it, and never be committed."""
    ledger = CallLedger(tmp_path / "calls.sqlite")
    with ledger.transaction() as database:
        database.execute("CREATE TABLE parents (a INTEGER PRIMARY KEY)")
        database.execute("CREATE TABLE children (a REFERENCES parents DEFERRABLE INITIALLY DEFERRED)")
    database.execute("PRAGMA foreign_keys = ON")
    with pytest.raises(LanguageModelError, match="FOREIGN KEY"), ledger.transaction():
        database.execute("INSERT INTO children VALUES (1)")
    _reserve(ledger)
    ledger.pay(b"a", Usage(90, 20), 7, "{}")
    assert CallLedger(tmp_path / "calls.sqlite").answer(b"a") == "{}"


def test_a_ledger_that_cannot_be_read_is_an_error_of_the_model(tmp_path: Path) -> None:
    ledger = CallLedger(tmp_path / "calls.sqlite")
    ledger.close()
    with pytest.raises(LanguageModelError, match="closed database"):
        ledger.sums("account")
    (tmp_path / "file").write_text("")
    with pytest.raises(LanguageModelError, match="LLM_LEDGER_PATH"):
        CallLedger(tmp_path / "file" / "calls.sqlite")


def test_a_call_that_was_under_way_at_a_kill_is_presumed_to_be_billed(tmp_path: Path) -> None:
    _reserve(CallLedger(tmp_path / "calls.sqlite"))
    ledger = CallLedger(tmp_path / "calls.sqlite")
    _reserve(ledger)
    ledger.pay(b"a", Usage(90, 20), 7, "{}")
    sums = ledger.sums("account")
    assert (sums.calls, sums.paid, sums.usage.tokens) == (2, 1, 110)
    assert (sums.presumed_tokens, sums.micro_dollars) == (150, 17)


def test_each_kill_adds_to_the_cost_that_is_presumed(tmp_path: Path) -> None:
    for _ in range(3):
        _reserve(CallLedger(tmp_path / "calls.sqlite"), cost=10)
    ledger = CallLedger(tmp_path / "calls.sqlite")
    with pytest.raises(BudgetSpentError, match=r"make it 0\.000040 US dollars"):
        _reserve(ledger, budget=CallBudget(dollars=0.000039), cost=10)
    _reserve(ledger, cost=10)
    ledger.pay(b"a", Usage(90, 20), 7, "{}")
    sums = ledger.sums("account")
    assert (sums.calls, sums.presumed_tokens, sums.micro_dollars) == (4, 450, 37)


def test_each_call_that_was_not_answered_in_time_adds_to_the_cost_that_is_presumed() -> None:
    ledger = CallLedger(None)
    for _ in range(3):
        _reserve(ledger, cost=10)
        ledger.release(b"a", may_be_billed=True)
    sums = ledger.sums("account")
    assert (sums.presumed_tokens, sums.micro_dollars) == (450, 30)


@pytest.mark.parametrize(("may_be_billed", "presumed", "cost"), [(True, 150, 10), (False, 0, 0)])
def test_a_call_that_brought_nothing_is_released(may_be_billed: bool, presumed: int, cost: int) -> None:
    ledger = CallLedger(None)
    _reserve(ledger)
    ledger.release(b"a", may_be_billed=may_be_billed)
    sums = ledger.sums("account")
    assert (sums.reserved_tokens, sums.presumed_tokens, sums.micro_dollars) == (0, presumed, cost)
    assert ledger.answer(b"a") is None


def test_an_invalid_answer_is_billed_and_may_be_asked_for_again() -> None:
    ledger = CallLedger(None)
    _reserve(ledger)
    ledger.pay(b"a", Usage(90, 20), 7, None)
    assert ledger.answer(b"a") is None
    _reserve(ledger)
    ledger.pay(b"a", Usage(90, 10), 6, "{}")
    sums = ledger.sums("account")
    assert (sums.calls, sums.paid, sums.usage, sums.micro_dollars) == (2, 1, Usage(180, 30), 13)
    assert sums.presumed_tokens == 0


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (CallBudget(calls=1), "the budget of 1 calls is spent: the next call might make it 2 calls"),
        (CallBudget(tokens=299), "the budget of 299 tokens is spent: the next call might make it 300 tokens"),
        (CallBudget(dollars=0.000019, setting="S"), "make it 0.000020 US dollars; raise S_USD"),
    ],
)
def test_the_call_that_would_break_a_budget_is_not_entered(budget: CallBudget, said: str) -> None:
    ledger = CallLedger(None)
    _reserve(ledger, b"a", budget)
    with pytest.raises(BudgetSpentError, match=said):
        _reserve(ledger, b"b", budget)
    assert ledger.sums("account").calls == 1


def test_a_budget_that_is_met_exactly_is_not_broken() -> None:
    ledger = CallLedger(None)
    budget = CallBudget(calls=2, tokens=300, dollars=0.00002)
    _reserve(ledger, b"a", budget)
    _reserve(ledger, b"b", budget)
    assert ledger.sums("account").reserved_tokens == 300


def test_accounts_do_not_pay_for_each_other() -> None:
    ledger = CallLedger(None)
    _reserve(ledger, b"a")
    ledger.reserve(b"b", "other", "model", _EXPECTED, 10, CallBudget(calls=1))
    assert ledger.sums("other").calls == ledger.sums("account").calls == 1


@pytest.mark.parametrize("content", [b"this is no database at all, whatever it is called", b""])
def test_a_file_that_is_no_ledger_is_named_and_an_empty_one_is_filled(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    path.write_bytes(content)
    if content:
        with pytest.raises(LanguageModelError, match=r"calls\.sqlite cannot be used: file is not a database"):
            CallLedger(path)
    else:
        _reserve(CallLedger(path))


def test_a_ledger_of_another_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 9")
    database.close()
    with pytest.raises(LanguageModelError, match="has version 9, and this program reads 1"):
        CallLedger(path)
