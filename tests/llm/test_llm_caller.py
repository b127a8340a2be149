"""Calls of a language model against an endpoint that bills them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from ragcrawler.llm.calls.budget import BudgetSpentError, CallBudget, CallerConfig
from ragcrawler.llm.calls.call_key import expected_usage
from ragcrawler.llm.calls.caller import ModelCaller
from ragcrawler.llm.calls.instructor_model import AsyncInstructorModel
from ragcrawler.llm.calls.ledger import CallLedger
from ragcrawler.llm.calls.model import CallRequest, InvalidAnswerError, ModelRefusedError
from ragcrawler.llm.calls.usage import Price, Usage
from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.protocol import LanguageModelError, Prompt
from tests.llm.billing_double import BillingDouble, billing_double


class Note(BaseModel):
    """A short text."""

    text: str


def request(material: str = "x", version: str = "1", document: str = "") -> CallRequest[Note]:
    return CallRequest(Note, Prompt("Write a note.", material, document), version, 100)


@asynccontextmanager
async def calling(
    double: BillingDouble, ledger: CallLedger, timeout_seconds: float = 5.0, **config: Any
) -> AsyncIterator[ModelCaller]:
    model = AsyncInstructorModel(
        LanguageModelConfig(model="some-model", base_url=double.url, timeout_seconds=timeout_seconds)
    )
    yield ModelCaller(model, ledger, "account", CallerConfig(**config))
    await model.close()


async def test_the_ledger_equals_the_bill_to_the_token() -> None:
    ledger = CallLedger(None)
    async with billing_double() as double, calling(double, ledger, price=Price(3, 15)) as caller:
        replies = await asyncio.gather(*(caller.fill(request(f"text {number}")) for number in range(20)))
    assert [reply.form.text for reply in replies] == [f"about text {number}" for number in range(20)]
    sums = ledger.sums("account")
    assert sums.usage == Usage(double.billed["prompt_tokens"], double.billed["completion_tokens"])
    assert sums.micro_dollars == 3 * sums.usage.input_tokens + 15 * sums.usage.output_tokens
    assert (sums.calls, sums.paid, sums.reserved_tokens) == (20, 20, 0)


async def test_a_second_run_costs_nothing_and_gives_the_same(tmp_path: Path) -> None:
    async with billing_double() as double:
        for _ in range(2):
            ledger = CallLedger(tmp_path / "calls.sqlite")
            async with calling(double, ledger) as caller:
                reply = await caller.fill(request())
            ledger.close()
    assert len(double.bodies) == 1
    assert (reply.form.text, reply.usage, reply.was_paid_before) == ("about x", Usage(), True)


@pytest.mark.parametrize("other", [request("y"), request(version="2"), request(document="d")])
async def test_another_text_version_or_document_is_another_call(other: CallRequest[Note]) -> None:
    async with billing_double() as double, calling(double, CallLedger(None)) as caller:
        await caller.fill(request())
        await caller.fill(other)
    assert len(double.bodies) == 2


async def test_equal_calls_at_the_same_time_are_sent_once() -> None:
    ledger = CallLedger(None)
    async with billing_double() as double, calling(double, ledger) as caller:
        replies = await asyncio.gather(*(caller.fill(request()) for _ in range(5)))
    assert len(double.bodies) == 1
    assert sorted(reply.was_paid_before for reply in replies) == [False, True, True, True, True]


async def test_no_more_calls_are_under_way_than_allowed() -> None:
    async with billing_double() as double, calling(double, CallLedger(None), concurrency=3) as caller:
        double.gate.clear()
        calls = [asyncio.create_task(caller.fill(request(str(number)))) for number in range(12)]
        while len(double.bodies) < 3:
            await asyncio.to_thread(len, calls)
        double.gate.set()
        await asyncio.gather(*calls)
    assert double.most_at_once == 3


@pytest.mark.parametrize("busy", [(429, {"retry-after": "0"}), (500, {}), (503, {"retry-after": "0"})])
async def test_a_service_that_is_busy_is_asked_again_and_nothing_is_paid_for_that(
    busy: tuple[int, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragcrawler.llm.calls.caller._FIRST_WAIT_SECONDS", 0.01)
    ledger = CallLedger(None)
    async with (
        billing_double(lambda number, _: busy if number < 3 else "ok") as double,
        calling(double, ledger) as caller,
    ):
        assert (await caller.fill(request())).form.text == "about x"
    sums = ledger.sums("account")
    assert (sums.calls, sums.paid, sums.presumed_tokens) == (3, 1, 0)
    assert sums.usage.tokens == double.billed["total_tokens"]


@pytest.mark.parametrize("kind", ["invalid", "cut"])
async def test_an_invalid_answer_is_paid_and_asked_for_again(kind: str) -> None:
    ledger = CallLedger(None)
    async with (
        billing_double(lambda number, _: kind if number == 1 else "ok") as double,
        calling(double, ledger) as caller,
    ):
        reply = await caller.fill(request())
    assert reply.usage.tokens == double.billed["total_tokens"] == ledger.sums("account").usage.tokens
    assert ledger.sums("account").calls == 2


async def test_answers_that_never_fit_are_an_error_after_the_last_attempt() -> None:
    ledger = CallLedger(None)
    async with (
        billing_double(lambda *_: "invalid") as double,
        calling(double, ledger, attempts=2) as caller,
    ):
        with pytest.raises(InvalidAnswerError, match="does not fit the form"):
            await caller.fill(request())
    assert ledger.sums("account").usage.tokens == double.billed["total_tokens"]
    assert len(double.bodies) == 2


async def test_a_call_without_an_answer_in_time_is_presumed_to_be_billed() -> None:
    ledger = CallLedger(None)
    async with (
        billing_double(lambda number, _: "hang" if number == 1 else "ok") as double,
        calling(double, ledger, timeout_seconds=0.3) as caller,
    ):
        await caller.fill(request())
    assert ledger.sums("account").presumed_tokens > 100


@pytest.mark.parametrize(("status", "requests"), [(401, 1), (400, 1), (429, 2)])
async def test_a_refusal_is_not_repeated_and_a_long_wait_is_not_waited_for(
    status: int, requests: int
) -> None:
    replies = [(status, {"retry-after": "0"}), (status, {"retry-after": "3600"})]
    async with (
        billing_double(lambda number, _: replies[number - 1]) as double,
        calling(double, CallLedger(None)) as caller,
    ):
        with pytest.raises(LanguageModelError, match=f"answered {status}"):
            await caller.fill(request())
    assert len(double.bodies) == requests


async def test_a_budget_stops_before_the_call_that_would_break_it() -> None:
    ledger = CallLedger(None)
    async with (
        billing_double() as double,
        calling(double, ledger, concurrency=1, budget=CallBudget(tokens=2000)) as caller,
    ):
        results = await asyncio.gather(
            *(caller.fill(request(f"text {number}")) for number in range(30)), return_exceptions=True
        )
    stopped = [result for result in results if isinstance(result, BudgetSpentError)]
    assert len(double.bodies) == 30 - len(stopped) > 0
    assert stopped
    assert double.billed["total_tokens"] <= 2000


async def test_a_call_whose_waiter_is_cancelled_goes_on_and_is_paid() -> None:
    ledger = CallLedger(None)
    async with billing_double() as double, calling(double, ledger) as caller:
        double.gate.clear()
        call = asyncio.create_task(caller.fill(request()))
        while not double.bodies:
            await asyncio.to_thread(ledger.sums, "account")
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert ledger.sums("account").reserved_tokens > 100
        double.gate.set()
        await caller.close()
    sums = ledger.sums("account")
    assert (sums.paid, sums.reserved_tokens, sums.usage.tokens) == (1, 0, double.billed["total_tokens"])


async def test_a_document_with_a_name_may_change_without_another_call() -> None:
    def about(document: str, subject: str) -> CallRequest[Note]:
        return CallRequest(Note, Prompt("Write a note.", "x", document), "1", 100, subject)

    async with billing_double() as double, calling(double, CallLedger(None)) as caller:
        await caller.fill(about("the page", "page-1"))
        again = await caller.fill(about("the page, edited", "page-1"))
        await caller.fill(about("the page", "page-2"))
    assert again.was_paid_before
    assert len(double.bodies) == 2


async def test_who_is_refused_asks_no_more() -> None:
    async with (
        billing_double(lambda *_: (401, {})) as double,
        calling(double, CallLedger(None), concurrency=1) as caller,
    ):
        for text in ("one", "two"):
            with pytest.raises(ModelRefusedError, match="answered 401"):
                await caller.fill(request(text))
    assert len(double.bodies) == 1


async def test_a_service_that_never_answers_is_left_alone_after_five_calls() -> None:
    async with (
        billing_double(lambda *_: (503, {"retry-after": "0"})) as double,
        calling(double, CallLedger(None), concurrency=1, retries=1) as caller,
    ):
        results = await asyncio.gather(
            *(caller.fill(request(str(n))) for n in range(9)), return_exceptions=True
        )
    assert len(double.bodies) == 5 * 2
    # The ledger is asked by threads: any four may be the ones that are given up first.
    assert sum("this run sends no more" in str(result) for result in results) == 9 - 4


async def test_an_answer_that_was_cut_off_at_its_bound_is_not_asked_for_again() -> None:
    ledger = CallLedger(None)
    async with billing_double(lambda *_: "long") as double, calling(double, ledger) as caller:
        with pytest.raises(InvalidAnswerError, match=r"was cut off: raise LLM_MAX_OUTPUT_TOKENS"):
            await caller.fill(request())
    assert len(double.bodies) == 1
    assert ledger.sums("account").usage.tokens == double.billed["total_tokens"]


async def test_a_damaged_answer_is_presumed_to_be_billed_and_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ragcrawler.llm.calls.caller._FIRST_WAIT_SECONDS", 0.01)
    ledger = CallLedger(None)
    async with (
        billing_double(lambda number, _: "damaged" if number == 1 else "ok") as double,
        calling(double, ledger) as caller,
    ):
        assert (await caller.fill(request())).form.text == "about x"
    sums = ledger.sums("account")
    assert (sums.calls, sums.paid) == (2, 1)
    assert sums.presumed_tokens > 100


@pytest.mark.parametrize("text", ["plain words " * 100, "漢字かな交じり文" * 100, "Ελληνικά γράμματα " * 100])
async def test_what_is_reserved_covers_what_is_billed_in_other_scripts(text: str) -> None:
    """Counted by an encoding that OpenAI's models have."""
    from ragcrawler.chunking import TiktokenCounter

    expected = expected_usage(request(text)).input_tokens
    assert expected >= TiktokenCounter("cl100k_base").count(text)


async def test_the_document_is_sent_first_and_the_material_last() -> None:
    async with billing_double() as double, calling(double, CallLedger(None)) as caller:
        await caller.fill(request("the chunk", document="the page"))
    content = double.bodies[0]["messages"][-1]["content"]
    assert [part["text"] for part in content] == ["the page", "the chunk"]
