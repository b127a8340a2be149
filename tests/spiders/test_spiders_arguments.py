"""The arguments of the seeds spider are checked before anything is fetched."""

import re
from pathlib import Path

import pytest

from ragcrawler.frontier import FrontierOptions
from ragcrawler.frontier.filters.junk import JunkFilter
from ragcrawler.frontier.filters.url_filter import UrlFilter
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.spiders.argument_table import ARGUMENTS, shown_arguments
from ragcrawler.spiders.arguments import SeedsArguments
from ragcrawler.spiders.seeds_setup import IGNORED


def test_domains_give_start_urls_and_whitelist() -> None:
    arguments = SeedsArguments.parse({"domains": "a.org,b.org:8080,https://c.org/docs/", "max_pages": "5"})
    assert arguments.start_urls == ("https://a.org/", "http://b.org:8080/", "https://c.org/docs/")
    assert arguments.max_pages == 5
    assert arguments.max_depth is None


def test_urls_alone_give_the_whitelist_of_their_hosts() -> None:
    arguments = SeedsArguments.parse({"urls": "https://a.org/one,https://a.org/two"})
    assert arguments.start_urls == ("https://a.org/one", "https://a.org/two")
    assert arguments.scope.contains("https://a.org/three")
    assert not arguments.scope.contains("https://b.org/")


def test_urls_are_added_to_the_starts_of_the_domains() -> None:
    arguments = SeedsArguments.parse({"domains": "a.org", "urls": "https://a.org/hidden"})
    assert arguments.start_urls == ("https://a.org/", "https://a.org/hidden")


def test_urls_may_stand_in_a_file_with_comments(tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("# ours\nhttps://a.org/one\n\n  https://a.org/two  \n", encoding="utf-8")
    assert SeedsArguments.parse({"urls": f"@{seeds}"}).start_urls == (
        "https://a.org/one",
        "https://a.org/two",
    )


def test_names_of_scrapyd_are_left_alone() -> None:
    assert SeedsArguments.parse({"domains": "a.org", "_job": "7f"}).start_urls == ("https://a.org/",)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "the list of domains is empty"),
        ({"domains": " , "}, "the list of domains is empty"),
        ({"domain": "a.org"}, "-a domain=... is unknown; the arguments are domains, urls"),
        ({"domains": "not a domain"}, "'not a domain' is no domain"),
        ({"domains": "ftp://a.org"}, "is no domain"),
        ({"domains": "a.org", "max_pages": "many"}, "-a max_pages=many should be a whole number"),
        ({"domains": "a.org", "max_depth": "-1"}, "-a max_depth=-1 should be a whole number"),
        ({"domains": "a.org", "include": "("}, "include='(' is no regular expression"),
        ({"domains": "a.org", "languages": "english"}, "languages: 'english' is no language tag"),
        ({"domains": "a.org", "dry_run": "perhaps"}, "-a dry_run=perhaps should be 1 or 0"),
        ({"domains": "a.org", "force_delete": "2"}, "-a force_delete=2 should be 1 or 0"),
        ({"domains": "a.org", "revisit": "soon"}, "-a revisit=soon should be all or due"),
        ({"urls": "mailto:me@a.org"}, "-a urls:"),
        ({"urls": "@no/such/file"}, "the file cannot be read"),
    ],
)
def test_a_wrong_argument_is_refused_with_its_value(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        SeedsArguments.parse(arguments)


def test_a_retry_is_for_the_lost_urls_alone_and_follows_no_link() -> None:
    lost = ["https://a.org/x", "https://b.org:8080/y"]
    arguments = SeedsArguments.parse({"retry_failed": "last", "dry_run": "1"}, lost)
    assert arguments.start_urls == tuple(lost)
    assert arguments.max_depth == 0
    assert (arguments.is_retry, arguments.is_dry, arguments.is_forced) == (True, True, False)
    assert arguments.scope.contains("https://b.org:8080/")
    assert SeedsArguments.parse({"retry_failed": "last"}, []).start_urls == ()


@pytest.mark.parametrize(
    ("url", "depth", "refusal"),
    [
        ("https://a.org/guide", 1, ""),
        ("https://a.org/guide.pdf", 1, ""),
        ("https://b.org/guide", 1, "offsite"),
        ("https://a.org/photo.jpg", 1, "media"),
        ("https://a.org/archive.zip", 1, "media"),
        ("https://a.org/contact-us", 1, "junk"),
        ("https://a.org/faq.html", 1, "junk"),
        ("https://a.org/contactless-payments", 1, ""),
        ("https://a.org/draft/x", 1, "excluded"),
        ("https://a.org/guide", 3, "max_depth"),
    ],
)
def test_a_link_is_refused_for_the_first_reason_that_holds(url: str, depth: int, refusal: str) -> None:
    url_filter = filter_of({"domains": "a.org", "exclude": "/draft/", "max_depth": "2"}, None)
    assert url_filter.refusal(url, depth) == refusal


def test_an_empty_junk_pattern_switches_the_filter_off() -> None:
    assert filter_of({"domains": "a.org"}, "").refusal("https://a.org/faq.html", 1) == ""


def filter_of(values: dict[str, str], junk_pattern: str | None) -> UrlFilter:
    arguments = SeedsArguments.parse(values)
    options = FrontierOptions(
        scope=arguments.scope,
        rules=arguments.rules,
        max_depth=arguments.max_depth,
        junk=JunkFilter(junk_pattern),
        ignored_extensions=IGNORED,
    )
    return UrlFilter(options, SqliteState().notes)


def test_arguments_are_shown_without_passwords_and_cut() -> None:
    given = {"domains": "https://user:secret@a.org/", "include": "x" * 5_000, "max_pages": "", "_job": "7"}
    shown = shown_arguments(ARGUMENTS, given)
    assert shown == {"domains": "https://***@a.org/", "include": "x" * 1_000}
