"""One visit of a page in the browser."""

import asyncio
from contextlib import suppress
from importlib.resources import files
from typing import Any

from playwright.async_api import Dialog, Page, Route

from ragcrawler.middlewares.javascript.browser.errors import RenderError
from ragcrawler.middlewares.javascript.browser.page_network import PageNetwork

_ACTIONS = files(__package__).joinpath("page.js").read_text(encoding="utf-8")
_QUIET_MILLISECONDS = 300
_FRAMES_MILLISECONDS = 50
_MAX_SECTIONS = 50
# Of the page's time: how long to wait for what it loads by itself, and for what our clicks make it load.
_LOAD_SHARE = 0.5
_ACTION_SHARE = 0.85


class PageRead(Exception):  # noqa: N818 - no error: it carries the result past what else a handler would do
    """The page was read.

    Attributes:
        html: the document, None where it is too long.
    """

    def __init__(self, html: str | None) -> None:
        super().__init__("the page was read")
        self.html = html


class PageVisit:
    """Waits until a page is quiet, opens what is closed, reads.

    Args:
        network: all that the page can reach.
        seconds: for the whole visit.
        max_characters: of the rendered page.
    """

    def __init__(self, network: PageNetwork, seconds: float, max_characters: int) -> None:
        self.network = network
        self._seconds = seconds
        self._max_characters = max_characters
        self._tasks: set[asyncio.Future[Any]] = set()

    async def prepare(self, page: Page, _request: object) -> None:
        """Take over the page's network and all that it could open."""

        async def answer(route: Route) -> None:
            await self.network.answer(route, page)

        await page.route("**", answer)
        page.on("dialog", self._dismiss)
        page.context.on("page", self._close_popup)
        page.on("websocket", lambda _: self.network.count_refused("websocket"))

    async def read(self, page: Page) -> None:
        """Read the page.

        Raises:
            PageRead: always, unless the page does something worse: the handler would go on to wait for the
                load event, which a request that hangs holds up, and to serialise the page a second time.
        """
        start = asyncio.get_running_loop().time()
        await self._settle(page, start + _LOAD_SHARE * self._seconds)
        self.network.notes_navigation = False
        begun = self.network.begun
        if await self._act(page) or self.network.begun > begun:
            await self._settle(page, start + _ACTION_SHARE * self._seconds)
        raise PageRead(await _run(page, "content", self._max_characters))

    async def _act(self, page: Page) -> bool:
        await _run(page, "stay")
        pressed = await _run(page, "dismissConsent")
        opened = await _run(page, "expand", _MAX_SECTIONS)
        await _run(page, "scroll", _FRAMES_MILLISECONDS)
        return bool(pressed or opened)

    async def _settle(self, page: Page, until: float) -> None:
        # A page with a request that never ends, a chat say, is read as it is when its time is over.
        with suppress(TimeoutError):
            async with asyncio.timeout_at(until):
                begun = -1
                while begun != self.network.begun:
                    begun = self.network.begun
                    await page.wait_for_load_state("domcontentloaded", timeout=0)
                    await self.network.idle()
                    await _run(page, "quiet", _QUIET_MILLISECONDS)

    def _dismiss(self, dialog: Dialog) -> None:
        self._begin(dialog.dismiss())

    def _close_popup(self, popup: Page) -> None:
        self.network.count_refused("popup")
        self._begin(popup.close())

    def _begin(self, action: Any) -> None:
        task = asyncio.ensure_future(action)
        self._tasks.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        task.cancelled() or task.exception()  # the page may be gone by now


async def _run(page: Page, name: str, argument: object = None) -> Any:
    return await page.evaluate(_ACTIONS, [name, argument])


def html_of(read: PageRead) -> str:
    """The document.

    Raises:
        RenderError: it is too long.
    """
    if read.html is None:
        raise RenderError("too_large", "the rendered page is over the limit")
    return read.html
