"""A crawl that is killed goes on with the same arguments, and ends as if nothing had happened."""

import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ragcrawler.commands.crawling import crawls
from tests.warm_python import Python

Crawl = Callable[..., Any]

PAGES = 24
_DEADLINE_SECONDS = 120.0


def fill(site: Any) -> None:
    """A start page with many pages, each with one below it."""
    site.page("/", *(f"/{number}" for number in range(PAGES)))
    for number in range(PAGES):
        site.page(f"/{number}", f"/{number}/below")
        site.page(f"/{number}/below")


def killed(python: Python, site: Any, output: Path, settings: dict[str, Any], after_requests: int) -> None:
    """Crawl in a process of its own, and kill it once the site was asked so often."""
    names = ("EMBEDDING_MODEL", "SPARSE_EMBEDDING_MODEL", "AUTOTHROTTLE_ENABLED", "RETRY_ENABLED")
    given = {**{name: settings[name] for name in names}, "OUTPUT_DIR": output, "DOWNLOAD_DELAY": 0.05}
    command = ("-m", "scrapy", "crawl", "seeds", "-a", f"domains={site.url}", "-s", "LOG_LEVEL=WARNING")
    options = (part for name, value in given.items() for part in ("-s", f"{name}={value}"))
    with python(*command, *options) as process:
        ends = time.monotonic() + _DEADLINE_SECONDS
        while len(site.requests) < after_requests and time.monotonic() < ends and process.poll() is None:
            signal.sigtimedwait([], 0.01)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL


def test_a_killed_crawl_goes_on_and_loses_nothing(
    python: Python, site: Any, crawl: Crawl, settings: dict[str, Any], caplog: Any
) -> None:
    fill(site)
    output = Path(settings["OUTPUT_DIR"])
    killed(python, site, output, settings, after_requests=20)
    before = len(site.requests)
    with caplog.at_level("INFO"):
        run = crawl(domains=site.url)
    assert "goes on from run" in caplog.text
    assert run.report["pages"]["fetched"] == 1 + 2 * PAGES
    assert run.report["disagreements"] == []
    assert run.report["documents"]["new"] == 1 + 2 * PAGES
    assert run.report["documents"]["same_text"] == run.report["documents"]["changed"] == 0
    assert run.report["collection_points"] == run.report["chunks"]["points"]
    assert sorted(document["url"] for document in run.documents) == sorted(
        f"{site.url}{path}"
        for path in ("/", *(f"/{n}" for n in range(PAGES)), *(f"/{n}/below" for n in range(PAGES)))
    )
    asked = Counter(path for path in site.requests if path.strip("/").partition("/")[0].isdigit())
    assert set(asked) == {f"/{n}{below}" for n in range(PAGES) for below in ("", "/below")}
    assert max(asked.values()) <= 2
    assert sum(asked.values()) - len(asked) <= before
    assert list((output / "state").iterdir()) == []


def test_an_interrupted_crawl_deletes_nothing_and_its_pages_count_as_linked(
    python: Python, site: Any, crawl: Crawl, settings: dict[str, Any]
) -> None:
    fill(site)
    assert crawl(domains=site.url).report["pages"]["fetched"] == 1 + 2 * PAGES
    asked = len(site.requests)
    killed(python, site, Path(settings["OUTPUT_DIR"]), settings, after_requests=asked + 12)
    run = crawl(domains=site.url, GONE_AFTER=1)
    assert run.report["deletions"] == []
    assert run.report["collection_points"] == 1 + 2 * PAGES
    assert len(run.documents) == 1 + 2 * PAGES


def test_a_crawl_command_lists_what_a_kill_left(
    python: Python, site: Any, settings: dict[str, Any], capsys: Any
) -> None:
    fill(site)
    output = Path(settings["OUTPUT_DIR"])
    killed(python, site, output, settings, after_requests=10)
    command = crawls.Command()
    command.settings = {**settings}  # type: ignore[assignment]  # what it reads of them
    command.exitcode = 0
    command.run([], None)  # type: ignore[arg-type]  # it has no options
    listed = capsys.readouterr().out
    assert f"-a domains={site.url}" in listed
    name = listed.split()[0]
    for arguments in (["show", name], ["dump", name]):
        command.run(arguments, None)  # type: ignore[arg-type]  # likewise
    shown = capsys.readouterr().out
    assert "to go" in shown
    assert '{"ragcrawler_frontier": 1}' in shown
    command.run(["delete", name], None)  # type: ignore[arg-type]  # likewise
    command.run(["show", name], None)  # type: ignore[arg-type]  # likewise
    assert f"there is no crawl {name}" in capsys.readouterr().err
    assert command.exitcode == 1
