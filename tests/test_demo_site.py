"""The site that ships with the project keeps what its `expected.json` and README promise."""

import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from protego import Protego

from ragcrawler.frontier.filters.junk import JunkFilter
from ragcrawler.frontier.ledger import UrlLedger
from ragcrawler.frontier.scope import Scope
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.frontier.target import Target
from ragcrawler.site_server import DEMO_SITE as SITE
from ragcrawler.site_server import SiteServer
from ragcrawler.urls.links.page_links import extract_links

EXPECTED = json.loads((SITE / "expected.json").read_text(encoding="utf-8"))
PAGES = sorted((SITE / "pages").rglob("*.html"))
MAX_SITE_BYTES = 250_000


@pytest.fixture(scope="module")
def server() -> Iterator[SiteServer]:
    with SiteServer(SITE) as running:
        yield running


class PlainCrawl:
    """A breadth-first crawl of the site by the URL room alone: no Scrapy, no conversion."""

    def __init__(self, server: SiteServer) -> None:
        self._connection = http.client.HTTPConnection(server.domain, timeout=5)
        self.ledger = UrlLedger(SqliteState().urls)
        self._scope = Scope.parse(server.domain)
        self._robots = Protego.parse(self._get("/robots.txt")[1].decode())
        self._junk = JunkFilter()
        self._bodies: set[bytes] = set()
        self.urls: list[str] = []

    def run(self) -> None:
        queue = [url for url in self._scope.start_urls if self.ledger.add(Target(url))]
        for url in queue:  # grows while it is walked
            self.urls.append(url)
            queue.extend(link for link in self._visit(url) if self.ledger.add(Target(link)))
        self._connection.close()

    def _visit(self, url: str) -> list[str]:
        if reason := self._refusal(url):
            self.ledger.skip(url, reason)
            return []
        status, body, location = self._get(urlsplit(url).path)
        if status != 200:
            self.ledger.skip(url, "redirected" if location else f"http_{status}")
            return []
        if body in self._bodies:
            self.ledger.skip(url, "duplicate_content")
        else:
            self.ledger.keep(url)
        self._bodies.add(body)
        if not body.startswith(b"<!DOCTYPE html>"):
            return []
        links = extract_links(body, url)
        return [*links, *links.nofollow]

    def _refusal(self, url: str) -> str:
        if not self._scope.contains(url):
            return "offsite"
        if self._junk.word(url):
            return "junk"
        return "" if self._robots.can_fetch(url, "ragcrawler") else "robots"

    def _get(self, path: str) -> tuple[int, bytes, str]:
        self._connection.request("GET", path)
        answer = self._connection.getresponse()
        return answer.status, answer.read(), answer.getheader("Location", "")


def test_a_crawl_finds_every_url_of_the_table_and_each_comes_to_its_end(server: SiteServer) -> None:
    crawl = PlainCrawl(server)
    crawl.run()
    found = {
        unquote(url.removeprefix(server.url.rstrip("/"))): crawl.ledger.status(url) for url in crawl.urls
    }
    expected = {row["url"]: (row["outcome"], row.get("reason", "")) for row in EXPECTED["urls"]}
    assert found == expected


def test_the_page_that_only_the_sitemap_names_is_there(server: SiteServer) -> None:
    sitemap = (SITE / "pages/sitemap.xml").read_text(encoding="utf-8")
    for path in EXPECTED["only_in_sitemap"]:
        assert f"{{base_url}}{path}" in sitemap
        assert (SITE / "pages" / path.lstrip("/")).is_file()


def test_the_readme_has_a_row_for_each_url() -> None:
    rows = re.findall(r"^\| `([^`]+)`", (SITE / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [row["url"] for row in EXPECTED["urls"]] + EXPECTED["only_in_sitemap"]


def test_each_question_is_answered_by_a_page_with_that_heading() -> None:
    fetched = {row["url"] for row in EXPECTED["urls"] if row["outcome"] == "fetched"}
    for row in json.loads((SITE / "questions.json").read_text(encoding="utf-8")):
        assert row["page"] in fetched
        page = (SITE / "pages" / row["page"].lstrip("/")).read_bytes()
        assert f'id="{row["heading"]}"'.encode() in page or not row["heading"]


def test_the_copy_is_exact() -> None:
    assert (SITE / "pages/print/quickstart.html").read_bytes() == (
        SITE / "pages/quickstart.html"
    ).read_bytes()


def test_the_site_is_small() -> None:
    assert sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file()) < MAX_SITE_BYTES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_image_and_heading_link_of_a_page_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    sources = re.findall(r'<(?:img|script)[^>]* src="([^"]+)"', text)
    folder = page.parent
    for source in sources:
        assert (
            (SITE / "pages" / source.lstrip("/")) if source.startswith("/") else folder / source
        ).is_file()
    for anchor in re.findall(r'href="#([^"]+)"', text):
        assert f'id="{anchor}"' in text
