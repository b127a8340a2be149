"""`ragcrawler.search`: three lines in a script or a notebook."""

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import ragcrawler
from ragcrawler.bootstrap.models import lazy_embedders
from tests.server.library import HANDBOOK, fill, settings


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    output = tmp_path_factory.mktemp("library")
    fill(output)
    return settings(output)


def test_a_hit_says_where_it_stands(given: dict[str, Any]) -> None:
    best, *_ = ragcrawler.search("how are the logs rotated?", 2, settings=given)
    assert (best.rank, best.title, best.source_url) == (1, "Handbook", HANDBOOK)
    assert (best.link, best.section_path) == (f"{HANDBOOK}#logs", ("Guide", "Logs"))
    assert best.text == best.chunks[0].content
    assert best.score > 0


def test_neighbours_are_joined_and_filters_hold(given: dict[str, Any]) -> None:
    (found,) = ragcrawler.search("logrotate", 1, filters=["chunk_type=code"], context=1, settings=given)
    assert [chunk.chunk_type for chunk in found.chunks] == ["text", "code", "text"]
    assert "Backups" in found.text


async def test_it_works_where_an_event_loop_runs(given: dict[str, Any]) -> None:
    here = ragcrawler.search("backups", 1, settings=given)
    elsewhere = await asyncio.to_thread(ragcrawler.search, "backups", 1, settings=given)
    assert here == elsewhere


def test_threads_may_ask_at_once(given: dict[str, Any]) -> None:
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: ragcrawler.search("logs", 2, settings=given), range(8)))
    assert all(each == answers[0] for each in answers)


def test_the_models_stay_loaded_and_the_collection_is_closed(
    given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ragcrawler.search("logs", 1, settings=given)
    monkeypatch.setattr(lazy_embedders, "select_models", lambda *_: pytest.fail("loaded again"))
    assert ragcrawler.search("backups", 1, settings=given)
    with ragcrawler.open_retriever(**given) as retriever:  # another process could do the same
        assert retriever.store.count() == 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"query": " "}, "The query is empty"),
        ({"query": "logs", "k": 0}, "Cannot search for 0 hits"),
        ({"query": "logs", "filters": ["nonsense"]}, "nonsense"),
        ({"query": "logs", "mode": "magic"}, "There is no mode 'magic'"),
        ({"query": "logs", "context": -1}, "context is -1"),
    ],
)
def test_every_refusal_is_of_one_class(given: dict[str, Any], arguments: Any, message: str) -> None:
    with pytest.raises(ragcrawler.RagcrawlerError, match=message):
        ragcrawler.search(settings=given, **arguments)


def test_a_collection_that_is_not_there_and_a_setting_that_is_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ragcrawler.RagcrawlerError, match="there is no collection at"):
        ragcrawler.search("logs", settings=settings(tmp_path))
    with pytest.raises(ragcrawler.RagcrawlerError, match="there is no setting of this name"):
        ragcrawler.search("logs", settings={"OUTPUT_FOLDER": "x"})


def test_the_package_alone_imports_nothing() -> None:
    program = (
        "import sys; before = {*sys.modules}; import ragcrawler; new = {*sys.modules} - before;"
        "print(*sorted(name for name in new if name.partition('.')[0] not in sys.stdlib_module_names))"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["ragcrawler", "ragcrawler.lazy_exports"]


def test_an_unknown_name_of_the_package_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'ragcrawler' has no attribute 'serach'"):
        ragcrawler.serach  # noqa: B018
