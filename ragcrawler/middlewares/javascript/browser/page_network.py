"""Answers the requests of one page in a browser."""

import asyncio
from urllib.parse import urldefrag

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, Request, Route

from ragcrawler.middlewares.javascript.browser.errors import RenderError
from ragcrawler.middlewares.javascript.browser.page_resources import PageResources
from ragcrawler.middlewares.javascript.browser.static_page import (
    ResourceRequest,
    ResourceResponse,
    StaticPage,
)
from ragcrawler.rendering.browser_requests import BrowserRequest, judge

# Made anew by the downloader, or of no meaning there. Cookies are the downloader's: off unless asked for.
_NOT_PASSED = {"host", "user-agent", "accept-encoding", "content-length", "connection", "cookie"}


class PageNetwork:
    """All that a page can reach: itself, and what the crawl's downloader brings.

    Args:
        page: to be rendered.
        resources: where everything else comes from.
        max_requests: that are passed on.
        max_bytes: of all replies; the last one may exceed it.

    Attributes:
        begun: requests begun so far.
        wanted_url: where the page wanted to go instead, "" where it stayed.
        notes_navigation: whether a wish to go elsewhere is the page's own, not that of a button we pressed.
    """

    def __init__(self, page: StaticPage, resources: PageResources, max_requests: int, max_bytes: int) -> None:
        self.begun = 0
        self.wanted_url = ""
        self.notes_navigation = True
        self._page = page
        self._resources = resources
        self._count = resources.count
        self._answered_page = False
        self._open = 0
        self._asked: set[asyncio.Future[ResourceResponse]] = set()
        self._is_idle = asyncio.Event()
        self._is_idle.set()
        self._requests_left = max_requests
        self._bytes_left = max_bytes

    async def idle(self) -> None:
        """Wait until no request is open."""
        await self._is_idle.wait()

    def close(self) -> None:
        """The page is gone: what it still waits for is of no use."""
        for asked in self._asked:
            asked.cancel()

    def count_refused(self, what: str) -> None:
        """Count what never became a request."""
        self._count(f"blocked/{what}")

    async def answer(self, route: Route, page: Page) -> None:
        """Answer one request of the browser; whatever happens, it is not sent."""
        self.begun += 1
        self._open += 1
        self._is_idle.clear()
        try:
            await self._answer_or_refuse(route, page)
        except PlaywrightError:
            self.count_refused("not_delivered")
        finally:
            self._open -= 1
            if not self._open:
                self._is_idle.set()

    async def _answer_or_refuse(self, route: Route, page: Page) -> None:
        try:
            await self._answer(route, page)
        except RenderError as error:
            self.count_refused(error.reason)
            await route.abort("blockedbyclient")

    async def _answer(self, route: Route, page: Page) -> None:
        request = _describe(route.request, page)
        judgement = judge(request, self._page.url, is_first=not self._answered_page)
        if judgement.answer == "page":
            self._answered_page = True
            await route.fulfill(status=200, headers=dict(self._page.headers), body=self._page.body)
        elif judgement.answer == "empty":
            await route.fulfill(status=200, headers={"content-type": "text/css"}, body=b"")
        elif judgement.answer == "fetch":
            reply = await self._reply(route.request)
            await route.fulfill(status=reply.status, headers=dict(reply.headers), body=reply.body)
        elif judgement.reason == "navigation":
            self._note(request)
            self.count_refused("navigation")
            await route.fulfill(status=204, body=b"")  # a browser stays where it is then
        else:
            raise RenderError(judgement.reason)

    def _note(self, request: BrowserRequest) -> None:
        is_elsewhere = urldefrag(request.url).url != urldefrag(self._page.url).url
        if self.notes_navigation and request.method == "GET" and is_elsewhere:
            self.wanted_url = request.url

    async def _reply(self, request: Request) -> ResourceResponse:
        is_script = request.resource_type == "script" and request.method == "GET"
        if is_script and (known := self._resources.scripts.get(request.url)):
            self._count("scripts_reused")
            return known
        if self._requests_left <= 0 or self._bytes_left <= 0:
            raise RenderError("limit")
        self._requests_left -= 1
        self._count("requests")
        passed = {name: value for name, value in request.headers.items() if _is_passed(name)}
        sent = request.post_data_buffer or b""
        reply = await self._asked_for(
            ResourceRequest(self._page.url, request.url, request.method, passed, sent)
        )
        self._bytes_left -= len(reply.body)
        if is_script:
            self._resources.scripts.put(request.url, reply)
        return reply

    async def _asked_for(self, question: ResourceRequest) -> ResourceResponse:
        asked = asyncio.ensure_future(self._resources.ask(question))
        self._asked.add(asked)
        try:
            await asyncio.wait([asked])
        finally:
            self._asked.discard(asked)
        if asked.cancelled():
            raise RenderError("page_closed")
        return asked.result()


def _describe(request: Request, page: Page) -> BrowserRequest:
    is_main = request.is_navigation_request() and request.frame == page.main_frame
    return BrowserRequest(
        url=request.url,
        method=request.method.upper(),
        kind=request.resource_type,
        opens_page=is_main,
        content_type=request.headers.get("content-type", ""),
        sent_bytes=len(request.post_data_buffer or b""),
    )


def _is_passed(name: str) -> bool:
    return not name.startswith((":", "sec-", "proxy-")) and name not in _NOT_PASSED
