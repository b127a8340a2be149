"""`scrapy plan`: what a crawl would take and skip, with nothing stored."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from ragcrawler.site_server import DEMO_SITE as SITE
from ragcrawler.site_server import SiteServer

TABLE = json.loads((SITE / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def server() -> Iterator[SiteServer]:
    with SiteServer(SITE) as running:
        yield running


def test_it_foretells_the_crawl_of_the_demo_site(scrapy: Any, server: SiteServer) -> None:
    ended = scrapy.run("plan", "-a", f"domains={server.url}", "--json")
    assert ended.returncode == 0, ended.stderr
    plan = json.loads(ended.stdout)
    skipped = [row["reason"] for row in TABLE["urls"] if row["outcome"] == "skipped"]
    # That one page is the copy of another is only known once both are converted.
    expected = {reason: skipped.count(reason) for reason in set(skipped) - {"duplicate_content"}}
    assert {row["reason"]: row["count"] for row in plan["rows"] if row["fate"] == "skip"} == expected
    assert plan["taken"] == len(TABLE["urls"]) - len(skipped) + 1 + len(TABLE["only_in_sitemap"])
    assert plan["languages"] == {"de": 1}


def test_it_stores_nothing_and_fetches_no_more_than_it_was_told(scrapy: Any, server: SiteServer) -> None:
    before = len(server.requests)
    ended = scrapy.run("plan", f"domains={server.url}", "--pages", "2")
    assert ended.returncode == 0, ended.stderr
    asked = [request.path for request in server.requests[before:]]
    pages = [path for path in asked if path not in {"/robots.txt", "/sitemap.xml", "/llms.txt"}]
    assert len(pages) == 3
    assert not scrapy.output.exists()


def test_it_knows_what_the_collection_keeps_out(scrapy: Any, server: SiteServer) -> None:
    page = f"{server.url}api.html"
    kept_out = scrapy.run("remove", page, server.url.removeprefix("http://") + "private/", "--keep-out")
    assert kept_out.returncode == 0, kept_out.stderr
    before = set(scrapy.output.rglob("*"))
    ended = scrapy.run("plan", f"domains={server.url}", "--json")
    (row,) = [row for row in json.loads(ended.stdout)["rows"] if row["reason"] == "kept_out"]
    assert row["fate"] == "skip"
    assert set(row["examples"]) == {page, f"{server.url}private/notes.html"}
    assert set(scrapy.output.rglob("*")) == before


def test_it_prints_each_reason_with_a_count_and_examples(scrapy: Any, server: SiteServer) -> None:
    lines = scrapy.run("plan", f"domains={server.url}").stdout.splitlines()
    assert lines[0].startswith("A crawl would take 17 pages and leave out 7 URLs")
    (row,) = [line for line in lines if " robots " in line]
    assert row.split() == ["skip", "1", "robots", f"{server.url}private/notes.html"]
    assert lines[-1].startswith("Left out as junk: contact 1, privacy 1. -s JUNK_URL_KEEP=contact,privacy ")


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (["domain=a.org"], "-a domain=... is unknown", 1),
        (["-a", "domains="], "the list of domains is empty", 1),
        (["domains"], "Give arguments as -a NAME=VALUE", 2),
        (["domains=a.org", "--pages", "0"], "--pages is 0", 2),
    ],
)
def test_what_cannot_be_meant_is_refused(scrapy: Any, arguments: list[str], message: str, code: int) -> None:
    ended = scrapy.run("plan", *arguments)
    assert message in ended.stderr + ended.stdout
    assert ended.returncode == code


def test_nothing_to_take_ends_with_code_3(scrapy: Any) -> None:
    ended = scrapy.run("plan", "domains=http://127.0.0.1:1/")
    assert ended.returncode == 3
    assert "would take 0 pages" in ended.stdout
