"""`scrapy crawl research -a goal=... -a template=...`: pages are read, and lead to the next ones."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

from rich.console import RenderableType
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.http import HtmlResponse, Response
from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from ragcrawler.config.configuration import Configuration
from ragcrawler.config.crawling.search_engines import SearchEnginesConfig
from ragcrawler.config.models.research import ResearchConfig, research_config
from ragcrawler.frontier import Instead, Keep, Target
from ragcrawler.frontier.filters.rules import UrlRules
from ragcrawler.frontier.scope import Scope
from ragcrawler.frontier.target import ParsedResponse
from ragcrawler.items import Document, Page
from ragcrawler.llm.protocol import LanguageModelError
from ragcrawler.postgres.errors import PostgresError
from ragcrawler.research.errors import ResearchError
from ragcrawler.research.links.anchors import linking_page_of_html
from ragcrawler.research.parts import Search, no_search
from ragcrawler.research.report.live import live_terminal
from ragcrawler.research.storage.tasks import ScoutTask
from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.run.meta_keys import TARGET
from ragcrawler.run.reporting.failures import Failure
from ragcrawler.run.research.request import ResearchRequest
from ragcrawler.run.research.research_run import ResearchRun
from ragcrawler.run.search.open import SearchRun
from ragcrawler.run.search.url_discovery import UrlDiscovery
from ragcrawler.run.wake_engine import wake_engine
from ragcrawler.search_engines.query import SearchQuery
from ragcrawler.spiders.argument_table import Argument, shown_arguments
from ragcrawler.spiders.research_arguments import RESEARCH_ARGUMENTS, parse_research
from ragcrawler.spiders.seeds import SeedsSpider
from ragcrawler.spiders.seeds_setup import SeedsSetup
from ragcrawler.urls.links.page_links import PageLinks

logger = logging.getLogger(__name__)

_FOLDER = "research"
_OPEN = "open"
_RESULTS_A_DOMAIN = 5


class ResearchSpider(SeedsSpider):
    """Fetches what a research wants to read, the most promising page first.

    The frontier decides what may be fetched and how fast; what is worth it, the research.
    """

    name = "research"
    argument_table: ClassVar[tuple[Argument, ...]] = RESEARCH_ARGUMENTS
    # What a sitemap or a feed names has no words by which its worth could be judged.
    custom_settings: dict[str, Any] | None = {"SITEMAPS": "off"}  # noqa: RUF012 - as Scrapy declares it
    # Other crawls have neither, and import nothing of a research.
    components: ClassVar = (
        ("ITEM_PIPELINES", "ragcrawler.pipelines.research.ResearchPipeline", 600),
        ("EXTENSIONS", "ragcrawler.extensions.research_page.ResearchPageExtension", 30),
    )

    def __init__(self, setup: SeedsSetup, research: ResearchRun, config: ResearchConfig) -> None:
        super().__init__(setup)
        self.research = research
        self._config = config
        self._tasks: dict[str, ScoutTask] = {}
        self._reading: set[str] = set()
        self._ending: asyncio.Future[None] | None = None
        self._engines: SearchRun | None = None

    @classmethod
    def check_arguments(cls, arguments: dict[str, str], settings: Mapping[str, object]) -> None:
        """Refuse wrong arguments before a crawl begins.

        Raises:
            ValueError: says which argument or setting, its value, and what would be right.
        """
        request, _ = parse_research(arguments)
        _config(settings, request)
        if request.engines:
            SearchEnginesConfig.from_settings(settings).chosen(request.engines, "search")

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Switch on what reads documents for a research and shows how it goes."""
        super().update_settings(settings)
        for setting, component, order in cls.components:
            settings.setdefault_in_component_priority_dict(setting, load_object(component), order)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *_: Any, **kwargs: Any) -> Self:
        """Make the spider; `kwargs` are the `-a` arguments."""
        request, seeds = parse_research(kwargs)
        config, output = _config(crawler.settings, request)
        # The research decides when which URL is asked for, those that the user named as well.
        setup = SeedsSetup.of(crawler, replace(seeds, start_urls=()))
        # What a research does not fetch is not gone: nothing may be deleted.
        setup = replace(setup, options=replace(setup.options, contains=None))
        spider = cls(setup, ResearchRun(request, config, output / _FOLDER), config)
        spider.shown_arguments = shown_arguments(cls.argument_table, kwargs)
        spider.start_urls = list(seeds.start_urls)  # the address guard lets these be private
        spider._set_crawler(crawler)
        crawler.signals.connect(spider.idle, signal=signals.spider_idle)
        crawler.signals.connect(spider.close_research, signal=signals.spider_closed)
        if request.engines:
            names = SearchEnginesConfig.from_settings(crawler.settings).chosen(request.engines, "search")
            spider._engines = SearchRun(crawler, names, follows=True)
            crawler.signals.connect(spider._engines.close, signal=signals.spider_closed)
        return spider

    def terminal_status(self) -> RenderableType:
        """How far the research is, for the progress display."""
        return live_terminal(self.research.live) if self.research.live else ""

    async def start(self) -> AsyncIterator[Request]:
        """Begin the research, or go on with it.

        Raises:
            CloseSpider: it cannot begin; the reason is logged.
        """
        try:
            embedders = CrawlRun.of(self.crawler).resources.embedders
            await self.research.open(embedders, self._count, self._search())
        except (ResearchError, PostgresError, LanguageModelError) as error:
            logger.error("The research cannot begin: %s", error)  # noqa: TRY400 - a message for the user
            CrawlRun.of(self.crawler).refusal = str(error)
            raise CloseSpider("start_failed") from error
        self.ask()
        nothing: tuple[Request, ...] = ()
        for request in nothing:
            yield request

    def ask(self) -> None:
        """Ask for the next pages, and give up tasks that came to nothing."""
        researcher = self.research.researcher
        for task in researcher.next_tasks(self._config.concurrency):
            self._tasks[task.url] = task
            with self.frontier.effects.transaction():
                self.frontier.add_seeds([task.url], task.parent_url, widens_scope=self._may_roam)
        wake_engine(self.crawler)

    async def parse(self, response: Response) -> AsyncIterator[Page]:
        """Yield the page, if it is kept; its links are the research's."""
        asked: Target = response.meta[TARGET]
        final = self.frontier.resolve_redirect(asked, response.url)
        page = await self.reader.read(response, final)
        task = self._tasks.get(asked.url)
        if page is not None:
            await self._follow(response, page, task)
            page = replace(page, links=PageLinks(canonical=page.links.canonical, robots=page.links.robots))
        decision = self.frontier.effects.judge(asked, final, page)
        if task is not None:
            others = [target.url for target in decision.targets] if isinstance(decision, Instead) else []
            self._tasks.update((url, task) for url in ([final.url] if final else []) + others)
        if isinstance(decision, Keep):
            yield decision.page

    async def read_document(self, document: Document) -> None:
        """Have the research read a page that is stored."""
        task = self._tasks.get(document.url)
        if task is None or task.url in self._reading:
            return
        self._reading.add(task.url)
        try:
            await self.research.researcher.read(document, task)
        except Exception:
            self._reading.discard(task.url)  # else it would be waited for
            raise

    async def settle(self) -> None:
        """Give up tasks whose page has come to an end unread, and ask for more."""
        if not self.research.is_open:
            return
        for task in self.research.researcher.under_way:
            urls = [url for url, other in self._tasks.items() if other is task]
            if task.url not in self._reading and all(self._is_over(url) for url in urls):
                await self.research.researcher.lose(task.url)
        waiting = self.research.researcher.under_way
        self._tasks = {url: task for url, task in self._tasks.items() if task in waiting}
        self.ask()

    def idle(self) -> None:
        """Go on as long as there is something to fetch; then write the report.

        Raises:
            DontCloseSpider: it goes on.
        """
        if not self.research.is_open:
            return
        if self._ending is None:
            self._ending = asyncio.ensure_future(self._end())
        if not self._ending.done():
            raise DontCloseSpider

    async def close_research(self) -> None:
        """Close database and model."""
        await self.research.close()

    async def _end(self) -> None:
        researcher = self.research.researcher
        try:
            await self.settle()
            if not researcher.is_idle:
                self._ending = None
                return
            await self.research.report(researcher.end_reason or "queue_empty")
        except (PostgresError, LanguageModelError, OSError) as error:
            place = f"research {self.research.request.id}"
            CrawlRun.of(self.crawler).lose(
                Failure(place, "report", "report_error", type(error).__name__, str(error))
            )
        wake_engine(self.crawler)

    async def _follow(self, response: Response, page: ParsedResponse, task: ScoutTask | None) -> None:
        if task is not None and isinstance(response, HtmlResponse):
            followed = {url for url in page.links if self._may_roam or self.frontier.scope.contains(url)}
            links = linking_page_of_html(response.text, page.item.final_url, followed)
            await self.research.researcher.follow(links, task)

    def _search(self) -> Search:
        if self._engines is None:
            return no_search
        discovery = self._engines.discovery(
            (), pages=1, per_domain=_RESULTS_A_DOMAIN, rules=UrlRules(), frontier=self.frontier
        )
        return QuestionSearch(discovery, stays_on_domains=not self._may_roam)

    @property
    def _may_roam(self) -> bool:
        return not self.research.request.stays_on_domains

    def _is_over(self, url: str) -> bool:
        status = self.frontier.ledger.status(url)
        return status is None or status[0] != _OPEN

    def _count(self, name: str, amount: int) -> None:
        self.crawler.stats.inc_value(f"ragcrawler/research/{name}", amount)


def _config(settings: Mapping[str, object], request: ResearchRequest) -> tuple[ResearchConfig, Any]:
    output = Configuration.from_settings(settings).output_folder
    bounds = request.bounds
    return research_config(settings, output, tokens=bounds.tokens, dollars=bounds.dollars), output


MOST_RESULTS = 10  # a question


class QuestionSearch:
    """Finds URLs for questions, at most ten each; the log names engines that did not answer.

    Pages that the collection has are found as well: this research has not read them.

    Args:
        discovery: asks the engines, one question after the other.
        stays_on_domains: whether only pages of the crawl's domains are found.
    """

    def __init__(self, discovery: UrlDiscovery, *, stays_on_domains: bool) -> None:
        refusals = discovery.refusals
        if not stays_on_domains:
            refusals = replace(refusals, scope=Scope(()))
        self._discovery = replace(discovery, refusals=refusals, known=_nothing_known)

    async def __call__(self, question: str, /) -> Sequence[str]:
        """The URLs that answer it, best first; none where no engine answered."""
        asked = replace(self._discovery, queries=(SearchQuery(question),))
        return [each.url async for found in asked.found(lambda: True) for each in found][:MOST_RESULTS]


async def _nothing_known(_urls: Iterable[str]) -> set[str]:
    return set()
