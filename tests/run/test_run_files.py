"""The files of a run: its folder and its list of failures."""

import json
from pathlib import Path

from ragcrawler.run.reporting.failures import Failure, FailureList
from ragcrawler.run.reporting.folder import RunFolder


def test_nothing_is_made_before_something_is_written(tmp_path: Path) -> None:
    folder = RunFolder.named(tmp_path, "seeds")
    FailureList(folder).close()
    assert list(tmp_path.iterdir()) == []


def test_a_failure_is_on_disk_before_the_list_is_closed(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    failures = FailureList(folder)
    failures.add(
        Failure("https://a.org/ä", "convert", "damaged", "ConversionError", "no end", "Traceback ...")
    )
    failures.add(Failure("https://a.org/b", "fetch", "http_500", "HttpError", "Internal"))
    lines = [json.loads(line) for line in folder.failures.read_text(encoding="utf-8").splitlines()]
    assert [line["url"] for line in lines] == ["https://a.org/ä", "https://a.org/b"]
    assert lines[0]["stack_trace"] == "Traceback ..."
    assert failures.count == 2
    failures.close()
    failures.close()


def test_the_folder_names_time_spider_and_process(tmp_path: Path) -> None:
    name = RunFolder.named(tmp_path, "seeds").path.name
    assert name.split("-")[1] == "seeds"
    assert name.split("-")[2].isdigit()


def test_runs_that_one_process_starts_within_a_second_have_folders_of_their_own(tmp_path: Path) -> None:
    paths = [RunFolder.named(tmp_path, "seeds").path for _ in range(5)]
    assert len(set(paths)) == 5
    assert sorted(paths) == paths
