"""A second chance in the browser, for pages whose content a conversion hardly found."""

import asyncio
from dataclasses import replace

from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.items import Page
from ragcrawler.middlewares.javascript.browser.static_page import StaticPage
from ragcrawler.middlewares.javascript.page_rendering import PageRendering
from ragcrawler.middlewares.javascript.rendered_html import CONTENT_TYPE, rendered_html
from ragcrawler.run.pages.rendered_page import RenderedPage
from ragcrawler.urls.links.page_links import extract_links


class WeakPages:
    """Renders weak pages whose markup speaks for scripts, out of memory and each once.

    Args:
        pages: the crawl's renderings; these count among them.
        min_quality: of a conversion that is good enough.
        politeness: which robots tags are obeyed.
        max_links: of one page.

    Attributes:
        min_quality: as given.
    """

    def __init__(
        self, pages: PageRendering, min_quality: float, politeness: PolitenessConfig, max_links: int
    ) -> None:
        self.min_quality = min_quality
        self._pages = pages
        self._politeness = politeness
        self._max_links = max_links

    async def render(self, page: Page) -> RenderedPage | None:
        """The page after its scripts; None where it is no page for a browser.

        Whoever gets one says by `learn` what came of it.
        """
        if page.had_browser or page.file is not None or not _is_html(page):
            return None
        decision = await asyncio.to_thread(self._pages.policy.decide_weak, page.final_url, page.body)
        static = StaticPage(page.final_url, {"content-type": page.content_type}, page.body)
        rendering = await self._pages.render(static, decision)
        if rendering is None:
            return None
        self._pages.count("weak")
        body = rendered_html(rendering)
        # The validators vouch for what was sent.
        changed = replace(
            page, body=body, content_type=CONTENT_TYPE, etag="", last_modified="", had_browser=True
        )
        links = await asyncio.to_thread(
            extract_links,
            body,
            page.final_url,
            max_links=self._max_links,
            product_token=self._politeness.product_token,
        )
        return RenderedPage(changed, self._politeness.followed(links, links.robots))

    def learn(self, page: Page, *, gained: bool) -> None:
        """Enter what came of a rendering."""
        self._pages.policy.learn_weak(page.final_url, gained=gained)
        self._pages.end(gained=gained)


def _is_html(page: Page) -> bool:
    return page.content_type.lower().startswith("text/html")
