"""Pages whose content a conversion hardly found get a second chance in the browser, and one alone."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler

from ragcrawler.bootstrap.preparation import Prepared
from ragcrawler.chunking import ChunkValidation
from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.config.defaults import project_settings
from ragcrawler.frontier import Frontier, Keep, ParsedResponse
from ragcrawler.frontier.options import FrontierOptions
from ragcrawler.frontier.scope import Scope
from ragcrawler.items import Document, Metadata, Page
from ragcrawler.items.page import PageFile
from ragcrawler.middlewares.javascript.page_rendering import PageRendering
from ragcrawler.middlewares.javascript.weak_pages import WeakPages
from ragcrawler.pipelines.convert import ConvertPipeline
from ragcrawler.run.outcomes import PageSkipped
from ragcrawler.run.pages.rendered_page import RenderedPage
from ragcrawler.urls.links.page_links import PageLinks
from ragcrawler.urls.robots.directives import RobotsDirectives

URL = "https://a.example/d"
PAGE = Page("d", URL, URL, b"sent", "text/html", 200, "")
RENDERED = replace(PAGE, body=b"rendered", had_browser=True)
LINKS = PageLinks(("https://a.example/more",))
Outcome = Prepared | PageSkipped


@dataclass
class Browser:
    """Renders every page that it is given."""

    min_quality: float = 0.5
    links: PageLinks = LINKS
    learned: list[bool] = field(default_factory=list)

    async def render(self, page: Page) -> RenderedPage:
        assert not page.had_browser
        return RenderedPage(RENDERED, self.links)

    def learn(self, page: Page, *, gained: bool) -> None:
        assert page is RENDERED
        self.learned.append(gained)


class Plain(Spider):
    name = "plain"


@pytest.fixture
def browser() -> Browser:
    return Browser()


@pytest.fixture
def convert(tmp_path: Path, browser: Browser) -> ConvertPipeline:
    crawler = Crawler(Plain, dict(project_settings(OUTPUT_DIR=str(tmp_path))))
    crawler.spider = Plain()
    made = ConvertPipeline(crawler)
    made.run.weak_pages = browser
    return made


def conversion(quality: float | None) -> Prepared:
    document = Document("d", URL, "D", "en", f"{quality}", "c", "", metadata=Metadata(quality=quality))
    return Prepared(document, cast("ChunkValidation", None))


async def converted(convert: ConvertPipeline, sent: Outcome, rendered: Outcome) -> Prepared:
    """The conversion that is kept, where a worker gives these."""
    outcomes = {b"sent": sent, b"rendered": rendered}

    async def ask(page: Page) -> Prepared:
        outcome = outcomes[page.body]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    convert._convert = ask  # type: ignore[method-assign]
    return await convert._converted(PAGE)


@pytest.mark.parametrize(
    ("sent", "rendered", "kept", "learned"),
    [
        (conversion(0.2), conversion(0.9), "0.9", [True]),
        (conversion(0.2), conversion(0.2), "0.2", [False]),
        (conversion(0.2), PageSkipped("empty"), "0.2", [False]),
        (PageSkipped("empty"), conversion(0.1), "0.1", [True]),
        (conversion(0.5), conversion(0.9), "0.5", []),
        (conversion(None), conversion(0.9), "None", []),
    ],
)
async def test_the_better_conversion_is_kept(
    convert: ConvertPipeline,
    browser: Browser,
    sent: Outcome,
    rendered: Outcome,
    kept: str,
    learned: list[bool],
) -> None:
    best = await converted(convert, sent, rendered)
    assert best.document.markdown == kept
    assert browser.learned == learned


@pytest.mark.parametrize("reason", ["empty", "unsupported_type"])
async def test_a_page_without_text_stays_one_where_the_browser_finds_none_either(
    convert: ConvertPipeline, browser: Browser, reason: str
) -> None:
    with pytest.raises(PageSkipped, match=reason):
        await converted(convert, PageSkipped(reason), PageSkipped("empty"))
    assert browser.learned == ([False] if reason == "empty" else [])


async def test_a_rendering_that_asks_not_to_be_indexed_is_not_taken(
    convert: ConvertPipeline, browser: Browser
) -> None:
    browser.links = PageLinks(robots=RobotsDirectives(noindex=True))
    best = await converted(convert, conversion(0.2), conversion(0.9))
    assert best.document.markdown == "0.2"


@pytest.mark.parametrize(
    "page",
    [RENDERED, replace(PAGE, file=PageFile("a.html")), replace(PAGE, content_type="application/pdf")],
)
async def test_what_is_rendered_already_or_no_page_of_the_web_is_not_given_to_the_browser(page: Page) -> None:
    politeness = PolitenessConfig.from_settings(project_settings())
    nobody = cast("PageRendering", None)  # whoever asks it fails
    assert await WeakPages(nobody, 0.5, politeness, 10).render(page) is None


@pytest.mark.parametrize(("nofollow", "status"), [(False, "open"), (True, "skipped")])
def test_the_links_of_a_rendering_are_followed_at_the_end_of_its_page(nofollow: bool, status: str) -> None:
    frontier = Frontier(FrontierOptions(scope=Scope.parse("https://a.example"), named_urls=(URL,)))
    (target,) = frontier.start()
    sent = PageLinks(robots=RobotsDirectives(nofollow=nofollow))
    assert isinstance(frontier.effects.judge(target, target, ParsedResponse(PAGE, sent)), Keep)
    frontier.effects.add_links(URL, LINKS)
    assert frontier.ledger.status(LINKS.urls[0]) is None
    frontier.effects.keep(URL, {})
    assert (frontier.ledger.status(LINKS.urls[0]) or ("",))[0] == status
