"""How the spider turns a response, a listing or a failure into pages and targets, without a crawl."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, DownloadTimeoutError, IgnoreRequest
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.statscollectors import MemoryStatsCollector
from twisted.python.failure import Failure

from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.config.defaults import project_settings
from ragcrawler.frontier import DiscoveryLimits, Frontier, FrontierOptions, ListingPlace, Target
from ragcrawler.frontier.scope import Scope
from ragcrawler.frontier.target_queue import LeasedTarget
from ragcrawler.items import Page
from ragcrawler.run.crawl_options import CrawlOptions
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.meta_keys import LISTING, TARGET
from ragcrawler.spiders.responses.missing_pages import MissingPages
from ragcrawler.spiders.responses.page_reader import ResponseReader
from ragcrawler.spiders.seeds import SeedsSpider
from ragcrawler.spiders.seeds_setup import SeedsSetup

SITE = "https://a.org"
START = Target(f"{SITE}/")
WORDS = "Water the seedlings in the early morning, and check the pressure of the pump once a week."


async def nothing(_: str) -> Response | None:
    """The answer to what the reader downloads besides."""
    return None


MakeSpider = Callable[..., SeedsSpider]


@pytest.fixture
def make_spider(tmp_path: Path) -> MakeSpider:
    def make(**options: Any) -> SeedsSpider:
        crawler = Crawler(SeedsSpider, dict(project_settings(OUTPUT_DIR=str(tmp_path))))
        crawler.stats = MemoryStatsCollector(crawler)
        crawler.crawling = True
        frontier = Frontier(FrontierOptions(Scope.parse("a.org"), (START.url,), **options))
        reader = ResponseReader(
            frontier,
            MissingPages(frontier.soft_404, nothing),
            PolitenessConfig.from_settings(crawler.settings),
            max_links=100,
        )
        crawler.spider = SeedsSpider(SeedsSetup(frontier, reader, CrawlOptions()))
        crawler.spider._set_crawler(crawler)
        frontier.start()
        return crawler.spider

    return make


def request(target: Target) -> Request:
    return Request(target.url, meta={TARGET: target, "url": target.url})


def html(target: Target, *links: str, url: str = "", head: str = "", **headers: str) -> HtmlResponse:
    anchors = "".join(f'<a href="{link}">on</a>' for link in links)
    body = f"<html><head>{head}</head><body><p>{WORDS}</p>{anchors}</body></html>"
    given = {"Content-Type": "text/html", **{name.replace("_", "-"): text for name, text in headers.items()}}
    return HtmlResponse(
        url or target.url, headers=given, body=body.encode(), encoding="utf-8", request=request(target)
    )


async def parsed(spider: SeedsSpider, response: Response) -> list[Page]:
    return [page async for page in spider.parse(response)]


async def fail(spider: SeedsSpider, target: Target, error: Exception) -> None:
    failure = Failure(error)
    failure.request = request(target)  # type: ignore[attr-defined]  # as Scrapy's scraper does
    await spider.handle_failure(failure)


def status(spider: SeedsSpider, path: str = "/") -> Any:
    return spider.frontier.ledger.status(f"{SITE}{path}")


def queued(spider: SeedsSpider) -> list[str]:
    """All paths that wait, in the order in which they are asked for."""
    paths = []
    while leased := spider.frontier.queue.next(0.0, lambda _: True):
        paths.append(leased.target.url.removeprefix(SITE))
        spider.frontier.queue.end(leased.target)
    return paths


def reasons(output: Path) -> list[str]:
    """Those in the list of failures."""
    files = output.glob("runs/*/failures.jsonl")
    return [json.loads(line)["reason"] for file in files for line in file.read_text("utf-8").splitlines()]


async def test_a_page_is_yielded_with_what_it_was_asked_for_by(make_spider: MakeSpider) -> None:
    (page,) = await parsed(make_spider(), html(START, ETag='"1"'))
    assert (page.url, page.final_url, page.depth, page.etag) == (START.url, START.url, 0, '"1"')
    assert WORDS.encode() in page.body


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"head": '<meta name="robots" content="noindex">'}, "noindex"),
        ({"X_Robots_Tag": "noindex"}, "noindex"),
        ({"url": "ftp://a.org/"}, "not_http"),
    ],
)
async def test_a_response_that_is_no_page_to_keep_yields_none(
    make_spider: MakeSpider, values: dict[str, str], reason: str
) -> None:
    spider = make_spider()
    assert await parsed(spider, html(START, **values)) == []
    assert spider.frontier.counts().skipped == {reason: 1}


async def test_a_redirect_is_yielded_with_the_address_that_answered(make_spider: MakeSpider) -> None:
    spider = make_spider()
    (page,) = await parsed(spider, html(START, url=f"{SITE}/end"))
    assert (page.url, page.final_url) == (START.url, f"{SITE}/end")
    assert status(spider) == ("skipped", "redirected")


async def test_the_spider_is_closed_at_the_last_page_and_yields_it(make_spider: MakeSpider) -> None:
    spider = make_spider(max_pages=1)
    pages = spider.parse(html(START, "/more"))
    assert (await anext(pages)).url == START.url
    with pytest.raises(CloseSpider) as closed:
        await anext(pages)
    assert closed.value.reason == "max_pages"


async def test_a_listing_queues_its_pages_and_is_none(make_spider: MakeSpider) -> None:
    spider = make_spider(discovery=DiscoveryLimits(is_on=True, max_urls=9))
    assert queued(spider) == ["/"]
    place = Target(f"{SITE}/sitemap.xml", listing=ListingPlace(SITE))
    body = f"<urlset><url><loc>{SITE}/one</loc></url><url><loc>https://b.org/two</loc></url></urlset>"
    await spider.parse_listing(TextResponse(place.url, body=body.encode(), request=request(place)))
    assert queued(spider) == ["/one"]
    assert spider.frontier.counts().skipped == {"offsite": 1}


@pytest.mark.parametrize(
    ("error", "entry", "failures"),
    [
        (HttpError(Response(START.url, status=404)), ("skipped", "http_404"), 0),
        (HttpError(Response(START.url, status=500)), ("failed", "http_500"), 1),
        (IgnoreRequest("Forbidden by robots.txt"), ("skipped", "robots"), 0),
    ],
)
async def test_a_failure_is_a_skip_or_a_loss_that_is_written_down(
    make_spider: MakeSpider, tmp_path: Path, error: Exception, entry: tuple[str, str], failures: int
) -> None:
    spider = make_spider()
    target = Target(f"{SITE}/page", 1, START.url)
    spider.frontier.add_seeds([target.url])
    await fail(spider, target, error)
    assert status(spider, "/page") == entry
    CrawlRun.of(spider.crawler).failures.close()
    assert reasons(tmp_path) == [entry[1]] * failures


async def test_what_an_interruption_cut_off_stays_open_and_is_no_loss(make_spider: MakeSpider) -> None:
    spider = make_spider()
    spider.crawler.crawling = False
    await fail(spider, START, DownloadTimeoutError("cut off"))
    assert status(spider) == ("open", "")


@pytest.mark.parametrize(
    ("leased", "callback", "meta"),
    [
        (LeasedTarget(START), "parse", {}),
        (LeasedTarget(START, retries=2), "parse", {"retry_times": 2}),
        (LeasedTarget(Target(START.url, listing=ListingPlace(SITE))), "parse_listing", {LISTING: True}),
    ],
)
def test_a_target_becomes_a_request(
    make_spider: MakeSpider, leased: LeasedTarget, callback: str, meta: dict[str, Any]
) -> None:
    spider = make_spider()
    made = spider.request_for(leased)
    assert (made.url, made.dont_filter) == (START.url, True)
    assert (made.callback, made.errback) == (getattr(spider, callback), spider.handle_failure)
    assert made.meta == {TARGET: leased.target, "url": START.url, **meta}


async def test_the_start_queues_the_named_urls_and_yields_no_request(make_spider: MakeSpider) -> None:
    spider = make_spider()
    assert queued(spider) == ["/"]
    assert [each async for each in spider.start()] == []
    assert queued(spider) == []  # each named URL is asked for once
