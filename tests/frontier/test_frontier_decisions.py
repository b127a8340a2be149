"""The frontier's decisions about a URL: tables of an event and a state."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from ragcrawler.catalogue import KeptOutEntry
from ragcrawler.frontier import (
    Decision,
    DiscoveryLimits,
    FetchFailure,
    Frontier,
    FrontierOptions,
    Instead,
    Keep,
    ListingPlace,
    Lost,
    ParsedResponse,
    Skip,
    Target,
    url_variants,
)
from ragcrawler.frontier.filters.kept_out import KeptOut, page_entry, site_entry
from ragcrawler.frontier.scope import Scope
from ragcrawler.items import Page
from ragcrawler.urls.links.page_links import PageLinks
from ragcrawler.urls.listings import ListedUrl, Listing

SITE = "https://a.org"
START = Target(f"{SITE}/")
MISSING = FetchFailure("http_404", is_skip=True, is_missing=True, is_answer=True)
BROKEN = FetchFailure("http_500", is_answer=True)
SHUTDOWN = FetchFailure("shutdown", is_skip=True, is_shutdown=True)


def frontier(**options: Any) -> Frontier:
    given = {"scope": Scope.parse("a.org"), "named_urls": (START.url,), **options}
    made = Frontier(FrontierOptions(**given))
    made.start()
    return made


def page(url: str, *links: str, **values: Any) -> ParsedResponse:
    item = Page(
        id="1", url=url, final_url=url, body=b"", content_type="text/html", status=200, fetched_at="", depth=0
    )
    named = values.pop("links", PageLinks(tuple(f"{SITE}{link}" for link in links)))
    return ParsedResponse(item, named, **values)


def answer(frontier: Frontier, target: Target, *links: str, url: str = "", **values: Any) -> Decision:
    """A response to a target."""
    final = frontier.resolve_redirect(target, url or target.url)
    assert final is not None
    return frontier.fetched(
        target, final, page(final.url, *links, **values) if frontier.needs(final) else None
    )


def paths(targets: Sequence[Target]) -> list[str]:
    return [target.url.removeprefix(SITE) for target in targets]


def test_a_page_is_kept_and_its_new_links_are_asked_for_once() -> None:
    crawl = frontier()
    first = answer(crawl, START, "/a", "/b", "/")
    assert isinstance(first, Keep)
    assert first.targets == tuple(Target(f"{SITE}/{name}", 1, START.url) for name in "ab")
    second = answer(crawl, first.targets[0], "/b", "/c")
    assert paths(second.targets) == ["/c"]


@pytest.mark.parametrize(
    ("values", "reason", "followed"),
    [
        ({"is_missing": True}, "soft_404", []),
        ({"is_listing": True}, "listing", ["/next"]),
        ({"noindex": True}, "noindex", ["/next"]),
    ],
)
def test_a_page_that_is_not_kept_is_skipped_for_its_reason(
    values: dict[str, Any], reason: str, followed: list[str]
) -> None:
    crawl = frontier()
    decision = answer(crawl, START, "/next", **values)
    assert isinstance(decision, Skip)
    assert (decision.reason, paths(decision.targets)) == (reason, followed)
    assert crawl.ledger.status(START.url) == ("skipped", reason)


@pytest.mark.parametrize(
    ("link", "options", "reason"),
    [
        ("https://b.org/x", {}, "offsite"),
        (f"{SITE}/x.zip", {"ignored_extensions": frozenset(["zip"])}, "media"),
        (f"{SITE}/privacy", {}, "junk"),
        (f"{SITE}/deep", {"max_depth": 0}, "max_depth"),
        (f"{SITE}/{'x' * 2000}", {}, "trap_length"),
    ],
)
def test_a_link_is_skipped_for_its_reason(link: str, options: dict[str, Any], reason: str) -> None:
    crawl = frontier(**options)
    assert answer(crawl, START, links=PageLinks((link,))).targets == ()
    assert crawl.counts().skipped == {reason: 1}


@pytest.mark.parametrize(
    ("entry", "url"),
    [
        (page_entry("http://www.a.org/x?b=1&a=2&utm_source=mail"), "http://a.org/x?a=2&b=1"),
        (page_entry(f"{SITE}/docs/"), f"{SITE}/docs/"),
        (KeptOutEntry(f"{SITE}/x?sid=1", "spelling"), f"{SITE}/x?sid=1"),
        (site_entry("a.org"), "http://www.a.org/any"),
        (site_entry("*.a.org"), "https://deep.docs.a.org/"),
        (site_entry("a.org/docs"), f"{SITE}/docs/x"),
        (site_entry("a.org:8080"), "http://a.org:8080/x"),
        (KeptOutEntry("guide/x.md", "page"), "guide/x.md"),
    ],
)
def test_an_entry_covers(entry: KeptOutEntry, url: str) -> None:
    assert KeptOut([entry]).covers(url)
    assert KeptOut([entry, page_entry("https://b.org/")]).covers(url)


@pytest.mark.parametrize(
    ("entry", "url"),
    [
        (page_entry(f"{SITE}/docs/"), f"{SITE}/docs"),
        (page_entry(f"{SITE}/docs/"), f"{SITE}/docs/x"),
        (KeptOutEntry(f"{SITE}/x?sid=1", "spelling"), f"{SITE}/x?sid=2"),
        (site_entry("a.org"), "https://docs.a.org/"),
        (site_entry("a.org/docs"), f"{SITE}/docs2"),
        (site_entry("a.org"), f"{SITE}:8080/x"),
        (site_entry("a.org"), "a.org/x.md"),
    ],
)
def test_an_entry_does_not_cover(entry: KeptOutEntry, url: str) -> None:
    assert not KeptOut([entry]).covers(url)


def test_what_is_kept_out_is_skipped_as_a_link_a_named_url_a_redirect_and_a_canonical() -> None:
    named = (START.url, f"{SITE}/named")
    crawl = Frontier(FrontierOptions(Scope.parse("a.org"), named))
    crawl.kept_out = KeptOut([page_entry(f"{SITE}/{name}") for name in ("named", "link", "final", "twin")])
    assert [target.url for target in crawl.start()] == [START.url]
    found = answer(crawl, START, "/link", "/moved", "/print")
    assert paths(found.targets) == ["/moved", "/print"]
    moved, printed = found.targets
    assert isinstance(answer(crawl, moved, url=f"{SITE}/final"), Skip)
    links = PageLinks((f"{SITE}/more",), canonical=(f"{SITE}/twin",))
    assert paths(answer(crawl, printed, links=links).targets) == ["/more"]
    assert crawl.counts().skipped == {"kept_out": 4, "redirected": 1}
    assert crawl.named.has(f"{SITE}/named")


@pytest.mark.parametrize("path", ["/privacy", "/deep", "/x.zip"])
def test_what_the_user_named_is_asked_for_whatever_a_link_to_it_would_mean(path: str) -> None:
    named = (START.url, f"{SITE}{path}")
    crawl = Frontier(
        FrontierOptions(Scope.parse("a.org"), named, max_depth=0, ignored_extensions=frozenset(["zip"]))
    )
    assert tuple(target.url for target in crawl.start()) == named
    answer(crawl, START, path)
    assert crawl.ledger.status(named[1]) == ("open", "")
    assert isinstance(answer(crawl, Target(named[1])), Keep)


def test_named_urls_that_were_not_done_are_known_when_the_crawl_is_closed() -> None:
    named = tuple(f"{SITE}/{name}" for name in ("kept", "gone", "cut", "never"))
    crawl = frontier(named_urls=named)
    answer(crawl, Target(named[0]))
    crawl.ledger.keep(named[0])
    crawl.failed(Target(named[1]), MISSING)
    crawl.failed(Target(named[2]), SHUTDOWN)
    counts = crawl.close("shutdown")
    assert crawl.named.unfinished == named[2:]
    assert counts.skipped == {"http_404": 1, "shutdown": 2}


def test_open_urls_may_stay_open() -> None:
    assert frontier().close("shutdown", keeps_open=True).open == 1


@pytest.mark.parametrize(
    ("failure", "kind", "status"),
    [
        (MISSING, Skip, ("skipped", "http_404")),
        (BROKEN, Lost, ("failed", "http_500")),
        (FetchFailure("robots", is_skip=True), Skip, ("skipped", "robots")),
        (FetchFailure("robots_unavailable"), Lost, ("failed", "robots_unavailable")),
        (SHUTDOWN, Skip, ("open", "")),
    ],
)
def test_a_failed_download_is_a_skip_or_a_loss(
    failure: FetchFailure, kind: type, status: tuple[str, str]
) -> None:
    crawl = frontier()
    (target,) = answer(crawl, START, "/x").targets
    decision = crawl.failed(target, failure)
    assert isinstance(decision, kind)
    assert decision.targets == ()
    assert crawl.ledger.status(target.url) == status
    assert set(crawl.incomplete_sites) == ({"a.org"} if kind is Lost else set())


@pytest.mark.parametrize(("failure", "urls"), [(BROKEN, ["http://a.org/"]), (SHUTDOWN, []), (MISSING, [])])
def test_a_guessed_https_gets_a_second_chance_as_http(failure: FetchFailure, urls: list[str]) -> None:
    crawl = frontier()
    assert [target.url for target in crawl.failed(START, failure).targets] == urls
    assert ("skipped", "no_https") in [crawl.ledger.status(START.url)] or not urls


def test_a_redirect_is_counted_and_its_target_kept_once() -> None:
    crawl = frontier()
    one, two = answer(crawl, START, "/one", "/two").targets
    assert isinstance(answer(crawl, one, url=f"{SITE}/end"), Keep)
    assert answer(crawl, two, url=f"{SITE}/end") == Skip()
    assert crawl.counts().skipped == {"redirected": 2}


def test_a_redirect_to_no_url_is_skipped_for_its_reason() -> None:
    crawl = frontier()
    assert crawl.resolve_redirect(START, "ftp://a.org/") is None
    assert crawl.fetched(START, None, None) == Skip()
    assert crawl.counts().skipped == {"not_http": 1}


def test_no_more_pages_are_kept_than_were_asked_for() -> None:
    crawl = frontier(max_pages=1)
    (target,) = answer(crawl, START, "/x").targets
    assert crawl.is_full
    assert not crawl.needs(target)
    assert answer(crawl, target) == Skip("max_pages")
    assert crawl.counts().skipped == {"max_pages": 1}


def canonical(path: str) -> PageLinks:
    return PageLinks(canonical=(f"{SITE}{path}",))


@pytest.mark.parametrize(
    ("canonical_answers", "kind", "skipped"),
    [
        (True, Keep, {"canonical": 1}),
        (False, Skip, {"http_404": 1}),
    ],
)
def test_a_page_waits_for_its_canonical_url_and_comes_back_if_that_is_gone(
    canonical_answers: bool, kind: type, skipped: dict[str, int]
) -> None:
    crawl = frontier()
    (here,) = answer(crawl, START, "/here").targets
    waits = answer(crawl, here, links=canonical("/there"))
    assert isinstance(waits, Instead)
    (there,) = waits.targets
    decision = answer(crawl, there) if canonical_answers else crawl.failed(there, MISSING)
    assert isinstance(decision, kind)
    assert decision.targets == (() if canonical_answers else (here.alone(),))
    if not canonical_answers:
        assert isinstance(answer(crawl, here.alone(), links=canonical("/there")), Keep)
    assert crawl.counts().skipped == skipped


def test_a_page_whose_canonical_url_was_kept_is_skipped_at_once() -> None:
    crawl = frontier()
    there, copy = answer(crawl, START, "/there", "/copy").targets
    assert isinstance(answer(crawl, there), Keep)
    assert answer(crawl, copy, links=canonical("/there")) == Instead()
    assert crawl.ledger.status(copy.url) == ("skipped", "canonical")


def test_seeds_found_during_a_crawl_come_in_like_links_and_stay_in_scope() -> None:
    crawl = frontier()
    urls = [f"{SITE}/lead", "https://b.org/lead", "mailto:a@a.org", f"{SITE}/lead"]
    assert crawl.add_seeds(urls, "https://search.example/?q=x") == [
        Target(f"{SITE}/lead", 0, "https://search.example/?q=x")
    ]
    assert crawl.counts().skipped == {"offsite": 1}


def test_seeds_may_widen_the_scope_by_their_hosts() -> None:
    crawl = frontier()
    (lead,) = crawl.add_seeds(["https://b.org/deep/lead"], widens_scope=True)
    assert paths(answer(crawl, lead, links=PageLinks(("https://b.org/other", "https://c.org/"))).targets) == [
        "https://b.org/other"
    ]
    assert crawl.scope.contains("https://b.org/")
    assert not crawl.scope.contains("https://c.org/")


def test_a_crawl_that_goes_on_keeps_the_scope_that_seeds_have_widened() -> None:
    crawl = frontier()
    crawl.add_seeds(["https://b.org/deep/lead"], widens_scope=True)
    resumed = Frontier(crawl.options, crawl.state)
    assert resumed.scope.contains("https://b.org/other")
    assert not resumed.scope.contains("https://c.org/")


def test_a_crawl_that_gets_seeds_while_it_is_idle_is_not_at_its_end() -> None:
    crawl = frontier()
    crawl.is_exhausted = True
    assert crawl.add_seeds(["https://c.org/"]) == []
    assert crawl.is_exhausted
    assert crawl.add_seeds([f"{SITE}/lead"])
    assert not crawl.is_exhausted


LISTINGS = DiscoveryLimits(is_on=True, max_urls=2)


def test_a_start_page_leads_to_its_listings_once() -> None:
    crawl = frontier(discovery=LISTINGS)
    assert crawl.needs_sitemaps(START)
    found = answer(crawl, START, sitemaps=(f"{SITE}/map.xml",)).targets
    assert paths(found) == ["/map.xml", "/llms.txt"]
    assert not crawl.needs_sitemaps(START)


def test_a_listing_brings_pages_up_to_a_bound_the_newest_first() -> None:
    crawl = frontier(discovery=LISTINGS)
    source = Target(f"{SITE}/map.xml", listing=ListingPlace(SITE))
    listed = [ListedUrl(f"{SITE}/{year}", last_modified=str(year)) for year in (2001, 2003, 2002)]
    assert paths(crawl.add_listing(source, Listing("sitemap", pages=tuple(listed)))) == ["/2003", "/2002"]


def test_a_listing_that_is_missing_is_looked_for_in_the_other_place() -> None:
    crawl = frontier(discovery=LISTINGS)
    place = ListingPlace(SITE, fallback_url=f"{SITE}/sitemap_index.xml")
    decision = crawl.failed(Target(f"{SITE}/sitemap.xml", listing=place), MISSING)
    assert decision.targets == (Target(place.fallback_url, listing=replace(place, fallback_url="")),)
    assert crawl.counts().seen == 1
    assert set(crawl.incomplete_sites) == set()
    crawl.failed(decision.targets[0], BROKEN)
    assert set(crawl.incomplete_sites) == {"a.org"}


def test_a_page_is_no_listing() -> None:
    with pytest.raises(ValueError, match="hand its links to `add`"):
        frontier().add_listing(START, Listing("sitemap"))


def test_a_plan_asks_for_some_linked_pages_and_counts_the_rest() -> None:
    crawl = frontier(plan_pages=1)
    assert paths(answer(crawl, START, "/a", "/b").targets) == ["/a"]
    assert crawl.counts().skipped == {"planned": 1}


def test_two_pages_whose_keys_have_one_hash_are_both_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = url_variants._loose
    monkeypatch.setattr(
        url_variants, "_loose", lambda url: 7 if url.endswith(("/one", "/two")) else whole(url)
    )
    made = Frontier(FrontierOptions(scope=Scope.parse("a.org"), named_urls=(START.url,)))
    made.start()
    links = PageLinks(("https://a.org/one", "https://a.org/two", "https://a.org/three", "https://a.org/two"))
    found = made.add(links, START)
    assert [target.url.rpartition("/")[2] for target in found] == ["one", "two", "three"]
    leased = [made.queue.next(0.0, lambda _: True) for _ in range(4)]
    for each in leased:
        assert each is not None
        made.ledger.keep(each.target.url, each.target.lease)
    assert made.counts().fetched == 4
