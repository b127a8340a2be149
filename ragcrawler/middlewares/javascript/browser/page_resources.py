"""Where rendered pages get their resources from: the crawl's own downloader instead of a network."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ragcrawler.middlewares.javascript.browser.script_cache import ScriptCache
from ragcrawler.middlewares.javascript.browser.static_page import ResourceRequest, ResourceResponse


@dataclass(frozen=True, slots=True)
class PageResources:
    """The downloads and scripts that the pages of a crawl share.

    Attributes:
        ask: downloads; raises `RenderError` where that is refused or fails.
        scripts: those that were downloaded before.
        count: counts one of something: `requests`, `blocked/<reason>`.
    """

    ask: Callable[[ResourceRequest], Awaitable[ResourceResponse]]
    scripts: ScriptCache
    count: Callable[[str], None]
