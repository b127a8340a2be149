"""`scrapy summarize`: a collection gets its summaries without a crawl, and crawls find them right."""

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ragcrawler.bootstrap.catalogue_place import catalogue_file
from ragcrawler.catalogue import SqliteCatalogue
from ragcrawler.commands.documents.summarize import Command
from ragcrawler.config.configuration import Configuration
from ragcrawler.maintenance.verification import IndexScan
from ragcrawler.stores import open_store
from tests.crawl.test_crawl_summaries import SummaryService, stored
from tests.llm.batch_double import BatchDouble

Summarize = Callable[..., int]
WHOLE, NOT_STARTED, MISSING, UNDER_WAY = 0, 1, 7, 8


@pytest.fixture
def service() -> Iterator[SummaryService]:
    served = SummaryService()
    yield served
    served.close()


@pytest.fixture
def settings(settings: dict[str, Any], service: SummaryService) -> dict[str, Any]:
    """Those of all crawls, with a model at the double, and without summaries in crawls."""
    model = {"LLM_MODEL": "small", "LLM_BASE_URL": service.double.url, "LLM_RETRIES": 0}
    return settings | model


@pytest.fixture
def summarize(settings: dict[str, Any]) -> Summarize:
    """Runs the command in this process and gives its exit code."""

    def call(*arguments: str, **changes: Any) -> int:
        command = Command()
        command.settings = Settings()
        for name, value in (settings | changes).items():
            command.settings.set(name, value, "cmdline")
        parser = argparse.ArgumentParser(conflict_handler="resolve")
        command.add_options(parser)
        options, rest = parser.parse_known_args(arguments)
        command.run(rest, options)
        return command.exitcode

    return call


@pytest.fixture
def crawled(site: Any, crawl: Callable[..., Any]) -> Callable[..., Any]:
    """Crawls three pages, the first time and again."""
    site.page("/", "/a", "/b")
    site.page("/a", text="One thing to say of kites, and of their strings.")
    site.page("/b", text="Another thing to say of kites, and of their tails.")
    return lambda **changes: crawl(domains=site.url, **changes)


def faults(settings: dict[str, Any]) -> list[Any]:
    """The faults that `scrapy verify` would name."""
    configuration = Configuration.from_settings(settings)
    with (
        open_store(configuration.store) as store,
        SqliteCatalogue(catalogue_file(configuration)) as catalogue,
    ):
        models = store.models()
        assert models is not None
        return [
            each
            for faulty in IndexScan(store, catalogue, models).faulty_documents()
            for each in faulty.faults
        ]


def test_a_collection_gets_its_summaries_without_a_crawl_and_a_second_run_asks_nobody(
    crawled: Any, summarize: Summarize, service: SummaryService, settings: dict[str, Any], capsys: Any
) -> None:
    crawled()
    before = stored(settings)
    assert summarize() == WHOLE
    chunks = stored(settings)
    assert sorted(service.passages) == sorted(chunk.content for chunk in chunks)
    assert all(chunk.summary.startswith("about ") for chunk in chunks)
    assert [chunk.embed_hash for chunk in chunks] == [chunk.embed_hash for chunk in before]
    number = len(chunks)
    assert capsys.readouterr().out.splitlines()[0] == (
        f"3 documents: summaries made {number}, known 0, failed 0, not asked for 0; {number} chunks written"
    )
    assert faults(settings) == []
    assert summarize() == WHOLE
    assert len(service.passages) == number
    assert f"known {number}, failed 0, not asked for 0; 0 chunks written" in capsys.readouterr().out
    assert crawled().skipped.get("unchanged") == 3
    assert stored(settings) == chunks


def test_a_crawl_with_summaries_finds_the_pages_unchanged_afterwards(
    crawled: Any, summarize: Summarize, service: SummaryService, settings: dict[str, Any], capsys: Any
) -> None:
    crawled()
    assert summarize(SUMMARIZE=True) == WHOLE
    asked = len(service.passages)
    assert crawled(SUMMARIZE=True).skipped.get("unchanged") == 3
    assert len(service.passages) == asked
    capsys.readouterr()
    assert summarize(SUMMARIZE=True) == WHOLE
    assert capsys.readouterr().out.startswith("0 documents:")


def test_embedded_summaries_are_those_that_a_crawl_would_pay_for_and_embed(
    crawled: Any, summarize: Summarize, service: SummaryService, settings: dict[str, Any]
) -> None:
    crawled(SUMMARIZE=True, SUMMARY_EMBED=True, QDRANT_COLLECTION="other")
    asked = len(service.passages)
    crawled()
    assert summarize(SUMMARY_EMBED=True) == WHOLE
    assert len(service.passages) == asked
    made = [(chunk.embed_text, chunk.embed_hash) for chunk in stored(settings)]
    other = [(chunk.embed_text, chunk.embed_hash) for chunk in stored(settings, QDRANT_COLLECTION="other")]
    assert made == other
    assert faults(settings) == []
    assert summarize(SUMMARY_EMBED=False) == WHOLE
    assert not any(chunk.summary in chunk.embed_text for chunk in stored(settings))
    assert faults(settings) == []


def test_another_wording_makes_summaries_anew(
    crawled: Any, summarize: Summarize, service: SummaryService
) -> None:
    crawled()
    summarize()
    asked = len(service.passages)
    assert summarize(SUMMARY_SENTENCES="1") == WHOLE
    assert len(service.passages) == 2 * asked


@pytest.mark.parametrize("bound", [("--limit", "2"), ("-",)])
def test_a_limit_or_a_budget_stops_and_the_next_run_goes_on(
    crawled: Any,
    summarize: Summarize,
    service: SummaryService,
    settings: dict[str, Any],
    bound: Any,
    capsys: Any,
) -> None:
    crawled()
    is_limit = bound[0] == "--limit"
    assert (summarize(*bound) if is_limit else summarize(SUMMARY_BUDGET_CALLS=2)) == MISSING
    assert len(service.passages) == 2
    assert sum(bool(chunk.summary) for chunk in stored(settings)) == 2
    assert ("raise SUMMARY_BUDGET_CALLS" in capsys.readouterr().err) != is_limit
    assert summarize() == WHOLE
    assert len(service.passages) == len(stored(settings))


def test_what_fails_keeps_the_summary_that_it_had(
    crawled: Any, summarize: Summarize, service: SummaryService, settings: dict[str, Any], capsys: Any
) -> None:
    crawled()
    summarize(SUMMARY_EMBED=True)
    before = stored(settings)
    service.behaviour = (400, {})
    assert summarize(SUMMARY_EMBED=True, SUMMARY_SENTENCES="1") == MISSING
    assert stored(settings) == before
    assert "answered 400" in capsys.readouterr().err


def test_a_collection_without_texts_in_its_catalogue_is_summarised_from_its_passages(
    crawled: Any, summarize: Summarize, settings: dict[str, Any]
) -> None:
    crawled()
    configuration = Configuration.from_settings(settings)
    with SqliteCatalogue(catalogue_file(configuration)) as catalogue, catalogue.transaction() as database:
        database.execute("DELETE FROM markdown")
        database.execute("DELETE FROM texts")
    assert summarize() == WHOLE
    assert all(chunk.summary for chunk in stored(settings))
    assert faults(settings) == []


def test_a_batch_is_submitted_by_one_run_and_its_summaries_stored_by_another(
    crawled: Any, summarize: Summarize, settings: dict[str, Any], capsys: Any
) -> None:
    crawled()
    number = len(stored(settings))
    double = BatchDouble()
    at_double = {"LLM_BASE_URL": f"{double.url}/v1"}
    try:
        assert summarize("--batch", **at_double) == UNDER_WAY
        said = capsys.readouterr().out
        assert f"calls submitted {number}, answered 0, failed 0, under way {number}" in said
        assert summarize(**at_double) == MISSING
        assert "the call is in a batch that is under way" in capsys.readouterr().err
        assert summarize("--batch", **at_double) == UNDER_WAY
        double.end()
        assert summarize("--batch", "--wait", **at_double) == WHOLE
    finally:
        double.close()
    assert len(double.texts) == number
    assert all(chunk.summary.startswith("about ") for chunk in stored(settings))
    assert faults(settings) == []


def test_without_a_model_or_a_collection_it_says_what_to_do(summarize: Summarize, capsys: Any) -> None:
    assert summarize() == NOT_STARTED
    assert "there is no collection" in capsys.readouterr().err
    assert summarize(LLM_MODEL="") == NOT_STARTED
    assert "LLM_MODEL" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [("x",), ("--limit", "0"), ("--wait",), ("--cancel",)])
def test_a_wrong_argument_is_a_mistake_of_use(summarize: Summarize, arguments: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        summarize(*arguments)
