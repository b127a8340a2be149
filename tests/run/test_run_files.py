"""The files of a run: its folder and its list of failures."""

import json
from pathlib import Path

from ragcrawler.run.reporting.activity import CrawlActivity
from ragcrawler.run.reporting.failures import Failure, FailureList
from ragcrawler.run.reporting.folder import RunFolder
from ragcrawler.run.reporting.trace import UrlOutcomes


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


def test_the_list_of_skipped_urls_has_a_bound_and_is_on_disk_at_once(tmp_path: Path) -> None:
    folder, activity = RunFolder(tmp_path / "run"), CrawlActivity()
    skipped = UrlOutcomes(folder, activity, most=2)
    for key in range(4):
        skipped.found(key, "https://a.org/", 1)
        skipped.decided(key, f"https://a.org/{key}", "skipped", "junk")
    skipped.marked_nofollow(9, "https://a.org/9")
    lines = [json.loads(line) for line in folder.skipped.read_text(encoding="utf-8").splitlines()]
    assert [line["url"] for line in lines] == ["https://a.org/0", "https://a.org/1"]
    assert len(activity.listed["junk"]) == 4
    skipped.closed("finished")
    assert len(folder.skipped.read_text(encoding="utf-8").splitlines()) == 2


def test_a_nofollow_url_that_another_link_brings_is_not_skipped(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    skipped = UrlOutcomes(folder, CrawlActivity())
    skipped.marked_nofollow(1, "https://a.org/1")
    skipped.marked_nofollow(2, "https://a.org/2")
    skipped.added(1, "https://a.org/1")
    skipped.closed("finished")
    (line,) = folder.skipped.read_text(encoding="utf-8").splitlines()
    assert json.loads(line) == {"url": "https://a.org/2", "reason": "nofollow", "parent_url": ""}


def test_the_folder_names_time_spider_and_process(tmp_path: Path) -> None:
    name = RunFolder.named(tmp_path, "seeds").path.name
    assert name.split("-")[1] == "seeds"
    assert name.split("-")[2].isdigit()


def test_runs_that_one_process_starts_within_a_second_have_folders_of_their_own(tmp_path: Path) -> None:
    paths = [RunFolder.named(tmp_path, "seeds").path for _ in range(5)]
    assert len(set(paths)) == 5
    assert sorted(paths) == paths
