"""Summaries through the batch interfaces of both providers: paid once, whatever happens in between."""

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from ragcrawler.catalogue import DocumentRecord
from ragcrawler.config.models.summaries import SummariesConfig, SummaryWording
from ragcrawler.items import Document, SemanticChunk
from ragcrawler.llm.batches import open_batch_service
from ragcrawler.llm.calls.budget import CallBudget, CallerConfig
from ragcrawler.llm.calls.call_key import call_key
from ragcrawler.llm.calls.instructor_model import AsyncInstructorModel
from ragcrawler.llm.calls.ledger import AccountSums, CallLedger
from ragcrawler.llm.calls.model import ModelBusyError
from ragcrawler.llm.calls.usage import Price, Usage
from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.protocol import LanguageModelError
from ragcrawler.run.summaries.batches import SummaryBatches
from ragcrawler.run.summaries.open import ACCOUNT, open_batches
from ragcrawler.run.summaries.stored_documents import StoredDocument
from ragcrawler.run.summaries.summary_request import summary_requests
from tests.llm.batch_double import READ, WRITTEN, BatchDouble
from tests.llm.test_llm_providers import ProviderDouble


def chunk(number: int) -> SemanticChunk:
    return SemanticChunk(
        f"id-{number}", f"c{number}", "d", f"text {number}", "h", 2, f"text {number}", 0, 6, number
    )


DOCUMENT = Document(
    "d", "https://h.example/", "Title", "", "the page", "h", "", chunks=tuple(map(chunk, range(4)))
)
STORED = [StoredDocument(DocumentRecord("d", DOCUMENT.url, "h", "", "h", ""), DOCUMENT, DOCUMENT)]


@pytest.fixture
def double() -> Iterator[BatchDouble]:
    served = BatchDouble()
    yield served
    served.close()


@pytest.fixture(params=["openai/small", "anthropic/small", "small"])
def config(
    request: pytest.FixtureRequest, double: BatchDouble, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> SummariesConfig:
    monkeypatch.setenv("OPENAI_BASE_URL", f"{double.url}/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", double.url)
    base_url = "" if "/" in request.param else f"{double.url}/v1"
    return SummariesConfig(
        model=LanguageModelConfig(request.param, base_url, "key-1"),
        calls=CallerConfig(price=Price(2, 4, 2)),
        ledger_path=tmp_path / "calls.sqlite",
        wording=SummaryWording(),
        is_embedded=False,
    )


@asynccontextmanager
async def _run(config: SummariesConfig, limit: int | None = None) -> AsyncIterator[SummaryBatches]:
    """One run of the command: it collects, and submits."""
    async with open_batches(config) as batches:
        await batches.collect()
        await batches.submit(STORED, limit)
        yield batches


def sums(config: SummariesConfig) -> AccountSums:
    ledger = CallLedger(config.ledger_path)
    try:
        return ledger.sums(ACCOUNT)
    finally:
        ledger.close()


def answers(config: SummariesConfig) -> list[str | None]:
    ledger = CallLedger(config.ledger_path)
    try:
        requests = summary_requests(DOCUMENT, config.wording)
        return [ledger.answer(call_key(config.model.model, request)) for request in requests]
    finally:
        ledger.close()


async def test_a_batch_is_submitted_once_and_collected_by_a_later_run(
    config: SummariesConfig, double: BatchDouble
) -> None:
    async with _run(config) as first:
        assert (first.sums.submitted, first.sums.under_way) == (4, 4)
    assert sums(config).reserved_tokens > 0
    async with _run(config) as second:
        assert (second.sums.submitted, second.sums.under_way) == (0, 4)
    double.end()
    async with _run(config) as third:
        assert (third.sums.answered, third.sums.failed, third.sums.under_way) == (4, 0, 0)
    assert len(double.texts) == 4
    found = sums(config)
    assert (found.paid, found.calls, found.reserved_tokens, found.presumed_tokens) == (4, 4, 0, 0)
    assert found.usage.tokens == 4 * (READ + WRITTEN)
    assert found.micro_dollars == 4 * (READ + 2 * WRITTEN)
    assert all(answer and f"text {number}" in answer for number, answer in enumerate(answers(config)))


async def test_the_answer_to_a_submission_that_is_lost_costs_no_second_batch(
    config: SummariesConfig, double: BatchDouble
) -> None:
    double.loses_answer = True
    with pytest.raises(ModelBusyError):
        async with _run(config):
            pass
    async with _run(config) as second:
        assert (second.sums.submitted, second.sums.under_way) == (0, 4)
    double.end()
    async with _run(config) as third:
        assert third.sums.answered == 4
    assert len(double.batches) == 1


async def test_a_batch_that_ended_before_its_id_was_known_is_found(
    config: SummariesConfig, double: BatchDouble
) -> None:
    double.loses_answer = True
    with pytest.raises(ModelBusyError):
        async with _run(config):
            pass
    double.end()
    async with _run(config) as second:
        assert (second.sums.submitted, second.sums.answered) == (0, 4)


async def test_a_batch_that_is_refused_or_never_arrived_is_released(
    config: SummariesConfig, double: BatchDouble
) -> None:
    double.status = 401
    with pytest.raises(LanguageModelError, match="took no batch") as raised:
        async with _run(config):
            pass
    assert "key-1" not in str(raised.value)
    assert sums(config).reserved_tokens == 0
    double.status = 503
    with pytest.raises(ModelBusyError):
        async with _run(config):
            pass
    assert sums(config).reserved_tokens > 0
    double.status = 0
    async with _run(config) as again:
        assert again.sums.submitted == 4
    assert sums(config).presumed_tokens == 0


async def test_calls_that_fail_expire_or_fit_no_form_are_released_and_asked_again(
    config: SummariesConfig, double: BatchDouble
) -> None:
    endings = {"text 0": "error", "text 1": "expired", "text 2": "invalid"}
    double.endings = lambda text: next((end for each, end in endings.items() if each in text), "")
    async with _run(config):
        double.end()
    async with _run(config) as second:
        assert (second.sums.answered, second.sums.failed, second.sums.submitted) == (1, 3, 3)
        assert "the answer does not fit the form" in second.sums.faults
    assert sums(config).usage.tokens == 2 * (READ + WRITTEN)
    assert len(double.texts) == 7


async def test_a_budget_and_a_limit_stop_before_the_submission(
    config: SummariesConfig, double: BatchDouble
) -> None:
    async with _run(config, 1) as limited:
        assert (limited.sums.submitted, limited.sums.spent) == (1, None)
    bounded = replace(
        config, calls=replace(config.calls, budget=CallBudget(calls=3, setting="SUMMARY_BUDGET"))
    )
    async with _run(bounded) as second:
        assert second.sums.submitted == 2
        assert "raise SUMMARY_BUDGET_CALLS" in str(second.sums.spent)
    async with _run(bounded) as third:
        assert third.sums.submitted == 0
    assert len(double.texts) == 3


async def test_a_cancelled_batch_keeps_what_it_answered(config: SummariesConfig, double: BatchDouble) -> None:
    async with _run(config) as batches:
        await batches.cancel()
        await batches.collect()
        assert (batches.sums.answered, batches.sums.failed, batches.sums.under_way) == (2, 2, 0)
    assert (sums(config).paid, sums(config).reserved_tokens) == (2, 0)


async def test_a_call_has_the_body_that_it_has_by_itself(
    config: SummariesConfig, double: BatchDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with _run(config):
        bodies = [body for calls in double.batches.values() for body in calls.values()]
    server = ProviderDouble()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    base_url = config.model.base_url and f"{server.url}/v1"
    model = AsyncInstructorModel(replace(config.model, base_url=base_url))
    with pytest.raises(LanguageModelError):  # the double fills in another form
        await model.fill(next(summary_requests(DOCUMENT, config.wording)))
    await model.close()
    server.shutdown()
    server.server_close()
    assert bodies[0] == server.requests[0][2]


@pytest.mark.parametrize("config", ["openai/small"], indirect=True)
async def test_a_batch_that_the_provider_cannot_read_says_why(
    config: SummariesConfig, double: BatchDouble
) -> None:
    async with _run(config):
        double.refusal = "line 1 is no request"
        double.end()
    async with _run(config) as second:
        assert (second.sums.answered, second.sums.failed) == (0, 4)
        assert "line 1 is no request" in second.sums.faults
    assert sums(config).usage.tokens == 0


async def test_one_process_at_a_time_works_on_batches(config: SummariesConfig) -> None:
    async with open_batches(config):
        with pytest.raises(LanguageModelError, match="another process works on the batches"):
            async with open_batches(config):
                pass


async def test_waiting_ends_with_the_batch(config: SummariesConfig, double: BatchDouble) -> None:
    async with _run(config) as batches:
        double.end()
        await batches.wait(0)
        assert batches.sums.answered == 4


def test_a_call_in_a_batch_is_not_made_by_itself(tmp_path: Path) -> None:
    ledger = CallLedger(tmp_path / "calls.sqlite")
    with ledger.transaction() as database:
        database.execute("INSERT INTO batch_calls VALUES (?, 'token')", (b"key",))
    with pytest.raises(LanguageModelError, match="is in a batch that is under way"):
        ledger.reserve(b"key", "account", "m", Usage(), 0, CallBudget())
    ledger.close()


def test_a_provider_without_batches_is_named() -> None:
    with pytest.raises(LanguageModelError, match="no batch interface for LLM_MODEL='gemini/x'"):
        open_batch_service(LanguageModelConfig("gemini/x"))
