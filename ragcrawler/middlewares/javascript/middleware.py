"""Runs the scripts of pages that are nothing without them.

A page is downloaded as every other. Where its text is thin beside its scripts it is given to a browser, and
this crawl's downloader answers every request of the browser: with the address guard, robots.txt, the delays,
the proxies and the limits that hold for pages.
"""

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response

from ragcrawler.config.crawling.javascript import JavaScriptConfig
from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.middlewares.javascript.browser.downloads import static_page
from ragcrawler.middlewares.javascript.browser.static_page import Rendering
from ragcrawler.middlewares.javascript.page_rendering import PageRendering
from ragcrawler.middlewares.javascript.rendered_html import CONTENT_TYPE, rendered_html
from ragcrawler.middlewares.javascript.weak_pages import WeakPages
from ragcrawler.rendering.decision import Decision
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.meta_keys import LISTING, NOT_RENDERED, RENDERED

# The validators vouch for what was sent: an application changes its text without changing its shell.
_NOT_KEPT = ("ETag", "Last-Modified", "Content-Type", "Content-Length")
_OK = 200


def rendered_response(response: Response, rendering: Rendering) -> Response:
    """The response with the rendered page in place of the static one."""
    headers = response.headers.copy()
    for name in _NOT_KEPT:
        headers.pop(name, None)
    headers["Content-Type"] = CONTENT_TYPE
    body = rendered_html(rendering)
    return response.replace(headers=headers, body=body, encoding="utf-8", flags=[*response.flags, RENDERED])


class JavaScriptMiddleware:
    """Gives the spider the rendered page in place of the static one, where that has more to say."""

    def __init__(self, crawler: Crawler, config: JavaScriptConfig) -> None:
        self._crawler = crawler
        self._pages = PageRendering(crawler, config)
        if config.min_quality:
            politeness = PolitenessConfig.from_settings(crawler.settings)
            run = CrawlRun.of(crawler)
            run.weak_pages = WeakPages(
                self._pages, config.min_quality, politeness, run.configuration.max_links
            )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "JavaScriptMiddleware":
        """Make the middleware.

        Raises:
            NotConfigured: `JAVASCRIPT` is "never".
            SettingError: a setting is wrong.
        """
        config = JavaScriptConfig.from_settings(crawler.settings)
        if config.mode == "never":
            raise NotConfigured  # without a reason: Scrapy would warn of it in every crawl
        return cls(crawler, config)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Give the page that has more content."""
        if not self._is_page(request, response):
            return response
        policy = self._pages.policy
        decision = policy.decide(response.url, response.body)
        if decision is Decision.STATIC:
            return response
        rendering = await self._pages.render(static_page(response), decision)
        sent = response.replace(flags=[*response.flags, NOT_RENDERED])
        if rendering is None:
            return sent
        changed = rendered_response(response, rendering)
        gained = policy.learn(response.url, response.body, changed.body)
        self._pages.end(gained=gained)
        return changed if gained else sent

    def _is_page(self, request: Request, response: Response) -> bool:
        return (
            isinstance(response, HtmlResponse)
            and response.status == _OK
            # What the spider asks for has its URL there; robots.txt, sitemaps and scripts are no pages, even
            # where a site answers everything with its start page.
            and "url" in request.meta
            and LISTING not in request.meta
            and bool(self._crawler.crawling)
        )
