"""The list of URLs that an earlier run lost."""

from pathlib import Path

import pytest

from ragcrawler.run.reporting.failures import Failure, FailureList
from ragcrawler.run.reporting.folder import RunFolder
from ragcrawler.run.reporting.retry_list import RetryError, failed_urls


def lose(output: Path, run: str, *failures: Failure) -> None:
    folder = RunFolder(output / "runs" / run)
    folder.make()
    lost = FailureList(folder)
    for failure in failures:
        lost.add(failure)
    lost.close()


def failure(url: str, stage: str = "fetch", attempts: int = 1) -> Failure:
    return Failure(url, stage, "http_500", "HttpError", "Internal", attempts=attempts)


def test_the_newest_run_is_the_last_and_others_are_named(tmp_path: Path) -> None:
    lose(tmp_path, "20260101T000000Z-seeds-9", failure("https://a.example/1", attempts=3))
    lose(tmp_path, "20260102T000000Z-seeds-1", failure("https://a.example/2", stage="embed"))
    assert failed_urls(tmp_path, "last") == {"https://a.example/2": 1}
    assert failed_urls(tmp_path, "20260101T000000Z-seeds-9") == {"https://a.example/1": 3}


def test_a_run_that_lost_nothing_leaves_nothing_to_do(tmp_path: Path) -> None:
    lose(tmp_path, "20260101T000000Z-seeds-9")
    assert failed_urls(tmp_path, "last") == {}


def test_a_loss_that_is_no_pages_is_left_out(tmp_path: Path) -> None:
    lose(tmp_path, "run", failure("http://127.0.0.1:6333/ragcrawler", stage="delete"))
    assert failed_urls(tmp_path, "run") == {}


@pytest.mark.parametrize(
    ("run", "message"), [("last", "the last ones are none yet"), ("../elsewhere", "has no such run")]
)
def test_a_run_that_is_not_there_is_refused(tmp_path: Path, run: str, message: str) -> None:
    with pytest.raises(RetryError, match=message):
        failed_urls(tmp_path, run)


def test_a_list_that_is_none_is_refused(tmp_path: Path) -> None:
    lose(tmp_path, "run")
    (tmp_path / "runs" / "run" / "failures.jsonl").write_text("{\n", encoding="utf-8")
    with pytest.raises(RetryError, match="cannot be read"):
        failed_urls(tmp_path, "run")


@pytest.mark.parametrize("rest", ['{"url": "https://a.ex', "\0" * 90])
def test_a_last_line_that_a_power_cut_left_unfinished_is_passed_over(tmp_path: Path, rest: str) -> None:
    lose(tmp_path, "run", failure("https://a.example/1"))
    with (tmp_path / "runs" / "run" / "failures.jsonl").open("a", encoding="utf-8") as file:
        file.write(rest)
    assert failed_urls(tmp_path, "run") == {"https://a.example/1": 1}
