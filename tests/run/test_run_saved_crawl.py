"""A crawl that breaks is resumed by the next run."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.frontier import (
    FetchFailure,
    Frontier,
    FrontierOptions,
    Keep,
    ListingPlace,
    ParsedResponse,
    Target,
)
from ragcrawler.frontier.scope import Scope
from ragcrawler.frontier.states.sqlite import FrontierStateError
from ragcrawler.items import Page
from ragcrawler.run.saved_crawls.saved_crawl import CrawlIdentity, SavedCrawl, delete_crawl, saved_crawls
from ragcrawler.urls.links.page_links import PageLinks

SITE = "https://a.org"
START = Target(f"{SITE}/")


class Clock:
    """Seconds that the test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Crawl:
    """Runs of one crawl; each is ended as a kill does, without a word, or in order."""

    def __init__(self, output: Path, **options: Any) -> None:
        self.output, self.options, self.clock, self.run = output, options, Clock(), 0
        self.leased: dict[str, Target] = {}
        self.begin()

    def begin(self, *, resumes: bool = True) -> Frontier:
        self.run += 1
        identity = CrawlIdentity("seeds", {"domains": "a.org"}, "collection")
        self.saved = SavedCrawl.open(self.output, identity, resumes=resumes)
        options = FrontierOptions(Scope.parse("a.org"), (START.url,), **self.options)
        self.frontier = Frontier(options, self.saved.state, clock=self.clock)
        self.saved.begin_run(f"run-{self.run}", self.frontier, delay_seconds=0.5)
        with self.frontier.effects.transaction():
            self.frontier.start()
        return self.frontier

    def killed(self, *, resumes: bool = True) -> Frontier:
        """Another run after a kill."""
        self.saved.state._database._connection.close()
        self.saved.state._database._is_closed = True
        self.saved._lock.close()
        return self.begin(resumes=resumes)

    def next(self) -> str:
        """The path of the next target, "" where there is none."""
        leased = self.frontier.queue.next(self.clock(), self.frontier.throttle.is_ready)
        if leased is None:
            return ""
        path = leased.target.url.removeprefix(SITE)
        self.leased[path] = leased.target
        return path

    def fetched(self, path: str, *links: str, **values: Any) -> Any:
        """A page came; if it is kept it is in the pipelines now."""
        target = replace(self.leased.get(path) or Target(f"{SITE}{path}"), **values)
        url = target.url
        item = Page(
            id=url, url=url, final_url=url, body=b"", content_type="", status=200, fetched_at="", depth=0
        )
        final = self.frontier.resolve_redirect(target, url)
        parsed = ParsedResponse(item, PageLinks(tuple(f"{SITE}{link}" for link in links)))
        return self.frontier.effects.judge(target, final, parsed)

    def stored(self, path: str) -> None:
        self.frontier.effects.keep(f"{SITE}{path}", {"upsert/points": 1})


@pytest.fixture
def crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Crawl]:
    """One whose pages are committed each by itself."""
    monkeypatch.setattr("ragcrawler.frontier.states.sqlite.database._COMMIT_SECONDS", 0.0)
    made = Crawl(tmp_path)
    yield made
    made.saved.end(is_over=False)


def test_a_page_and_its_links_are_there_together_or_not_at_all(crawl: Crawl) -> None:
    assert crawl.next() == "/"
    assert isinstance(crawl.fetched("/", "/x", "/y"), Keep)
    assert crawl.next() == ""
    assert crawl.killed().counts().seen == 1
    crawl.clock.now += 1.0
    assert crawl.next() == "/"
    assert isinstance(crawl.fetched("/", "/x", "/y"), Keep)
    crawl.stored("/")
    counts = crawl.killed().counts()
    assert (counts.fetched, counts.open) == (1, 2)
    crawl.clock.now += 1.0
    assert [crawl.next(), crawl.next(), crawl.next()] == ["/x", "/y", ""]


def test_what_was_in_flight_is_asked_for_again(crawl: Crawl) -> None:
    crawl.next()
    crawl.fetched("/", "/x", "/y")
    crawl.stored("/")
    assert crawl.next() == "/x"
    crawl.killed()
    crawl.clock.now += 1.0
    assert [crawl.next(), crawl.next(), crawl.next()] == ["/x", "/y", ""]


def test_a_page_that_breaks_in_the_pipelines_brings_its_links_with_its_loss(crawl: Crawl) -> None:
    crawl.next()
    crawl.fetched("/", "/x")
    crawl.frontier.effects.end(
        START.url,
        {},
        lambda lease: crawl.frontier.lose(START.url, "chunk_error", hides_links=False, lease=lease),
    )
    counts = crawl.killed().counts()
    assert (counts.failed, counts.open) == ({"chunk_error": 1}, 1)


def test_a_page_that_the_end_of_the_run_interrupts_stays_open(crawl: Crawl) -> None:
    crawl.next()
    crawl.fetched("/", "/x")
    crawl.frontier.effects.abandon(START.url)
    crawl.frontier.close("shutdown", keeps_open=True)
    assert crawl.frontier.counts().skipped == {"shutdown": 1}
    crawl.saved.end(is_over=False)
    assert crawl.begin().counts().open == 1
    assert crawl.next() == "/"


def test_a_listing_in_flight_is_asked_for_again_and_one_that_came_is_not(crawl: Crawl) -> None:
    sitemap = Target(f"{SITE}/sitemap.xml", listing=ListingPlace(SITE))
    crawl.frontier.queue.put(sitemap)
    assert crawl.next() == "/sitemap.xml"
    with crawl.frontier.effects.transaction():
        pass
    crawl.killed()
    assert crawl.next() == "/sitemap.xml"
    with crawl.frontier.effects.transaction():
        crawl.frontier.failed(sitemap, FetchFailure("http_404", is_skip=True, is_missing=True))
    crawl.killed()
    assert [crawl.next(), crawl.next()] == ["/", ""]


def test_a_delayed_retry_stays_delayed_and_is_counted(crawl: Crawl) -> None:
    crawl.next()
    crawl.frontier.queue.delay(START, crawl.clock() + 30.0, 2)
    with crawl.frontier.effects.transaction():
        pass
    crawl.killed()
    leased = crawl.frontier.queue.next(crawl.clock(), lambda _: True)
    assert leased is not None
    assert (leased.wait_until, leased.retries) == (crawl.clock() + 30.0, 2)


def test_a_page_that_waits_for_its_canonical_url_still_waits(crawl: Crawl) -> None:
    crawl.next()
    item = Page(id="", url="", final_url="", body=b"", content_type="", status=200, fetched_at="", depth=0)
    declares = ParsedResponse(item, PageLinks(canonical=(f"{SITE}/real",)))
    start = crawl.leased["/"]
    crawl.frontier.effects.judge(start, crawl.frontier.resolve_redirect(start, START.url), declares)
    crawl.killed()
    crawl.clock.now += 1.0
    assert [crawl.next(), crawl.next()] == ["/real", ""]
    with crawl.frontier.effects.transaction():
        crawl.frontier.failed(crawl.leased["/real"], FetchFailure("http_404", is_skip=True, is_missing=True))
    crawl.killed()
    leased = crawl.frontier.queue.next(crawl.clock() + 1.0, lambda _: True)
    assert leased is not None
    assert leased.target == START.alone()


def test_a_host_is_left_in_peace_across_the_break(crawl: Crawl) -> None:
    crawl.next()
    crawl.frontier.throttle.begin_request("a.org", 0.5)
    with crawl.frontier.effects.transaction():
        pass
    crawl.clock.now += 0.1
    crawl.killed()
    assert crawl.next() == ""
    crawl.clock.now += 0.51
    assert crawl.next() == "/"


def test_a_host_with_requests_on_their_way_is_left_in_peace_until_the_last_would_have_been_sent(
    crawl: Crawl,
) -> None:
    crawl.next()
    for _ in range(4):
        crawl.frontier.throttle.begin_request("a.org", 0.5)
    with crawl.frontier.effects.transaction():
        pass
    crawl.killed()
    crawl.clock.now += 1.99
    assert crawl.next() == ""
    crawl.clock.now += 0.02
    assert crawl.next() == "/"


def test_a_hold_outlives_a_kill(crawl: Crawl) -> None:
    crawl.frontier.throttle.hold("a.org", 20.0)
    crawl.killed()
    crawl.clock.now += 19.9
    assert crawl.next() == ""
    crawl.clock.now += 0.2
    assert crawl.next() == "/"


def test_counts_of_pages_that_came_to_their_end_outlive_the_process(crawl: Crawl) -> None:
    crawl.next()
    crawl.fetched("/", "/x", "mailto:a@a.org")
    crawl.stored("/")
    crawl.next()
    crawl.fetched("/x")
    assert crawl.killed().totals.values["upsert/points"] == 1


def test_the_next_run_says_where_it_goes_on(crawl: Crawl, caplog: pytest.LogCaptureFixture) -> None:
    crawl.next()
    crawl.fetched("/", "/x", "/y")
    crawl.stored("/")
    with caplog.at_level(logging.INFO):
        crawl.killed()
    assert "goes on from run run-1: 1 done, 2 to go" in caplog.text


def test_a_crawl_that_shall_not_resume_begins_anew(crawl: Crawl) -> None:
    crawl.next()
    crawl.fetched("/", "/x")
    crawl.stored("/")
    assert crawl.killed(resumes=False).counts().seen == 1
    assert not crawl.saved.is_resumed


@pytest.mark.parametrize(
    ("reason", "is_over"),
    [
        ("finished", True),
        ("max_pages", True),
        ("closespider_timeout", True),
        ("shutdown", False),
        ("disk_full", False),
        ("cancelled", False),
    ],
)
def test_only_a_crawl_that_came_to_its_end_is_over(crawl: Crawl, reason: str, is_over: bool) -> None:
    assert crawl.saved.is_over(reason, is_done=True) is is_over


@pytest.mark.parametrize(
    ("is_resumed", "is_done", "is_over"),
    [(False, False, True), (False, True, False), (True, False, False), (True, True, False)],
)
def test_a_run_that_could_not_begin_ends_only_a_crawl_that_has_nothing(
    crawl: Crawl, is_resumed: bool, is_done: bool, is_over: bool
) -> None:
    if is_resumed:
        crawl.killed()
    assert crawl.saved.is_over("start_failed", is_done=is_done) is is_over


def test_a_crawl_that_is_over_leaves_nothing(crawl: Crawl, tmp_path: Path) -> None:
    crawl.frontier.close("finished")
    crawl.saved.end(is_over=True)
    assert list((tmp_path / "state").iterdir()) == []


def test_two_processes_do_not_run_one_crawl(crawl: Crawl, tmp_path: Path) -> None:
    (path,) = saved_crawls(tmp_path)
    for use in (SavedCrawl, delete_crawl):
        with pytest.raises(FrontierStateError, match=r"running already, as process \d+"):
            use(path)


@pytest.mark.parametrize(
    ("arguments", "is_same"),
    [
        ({"domains": "a.org", "max_depth": "2"}, True),
        ({"max_depth": "2", "domains": "a.org", "force_delete": "1", "_job": "7"}, True),
        ({"domains": "b.org", "max_depth": "2"}, False),
        ({"domains": "a.org"}, False),
    ],
)
def test_a_crawl_is_known_by_its_arguments(arguments: dict[str, str], is_same: bool) -> None:
    name: Callable[[dict[str, str]], str] = lambda given: CrawlIdentity("seeds", given, "here").name  # noqa: E731
    assert (name(arguments) == name({"domains": "a.org", "max_depth": "2"})) is is_same
    assert name(arguments) != CrawlIdentity("seeds", arguments, "elsewhere").name
