"""A spider of another room searches, adds URLs and stays alive while a crawl runs."""

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from scrapy import signals
from scrapy.exceptions import DontCloseSpider

from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.spiders.argument_table import ARGUMENTS, Argument
from ragcrawler.spiders.seeds import SeedsSpider


class LeadSpider(SeedsSpider):
    """After each page it asks the collection so far; once idle, it follows leads that no page links to."""

    name = "leads"
    argument_table = (*ARGUMENTS, Argument("question", "How is it done?", "what to ask the collection"))
    leads: ClassVar[tuple[str, ...]] = ()
    answers: ClassVar[list[list[str]]] = []

    @classmethod
    def from_crawler(cls, crawler: Any, *arguments: Any, **named: Any) -> "LeadSpider":
        spider = super().from_crawler(crawler, *arguments, **named)
        spider.start_urls += cls.leads  # the operator allows these private addresses
        spider.question = named["question"]
        crawler.signals.connect(spider.ask, signals.item_scraped)
        crawler.signals.connect(spider.follow_leads, signals.spider_idle)
        return spider

    async def ask(self) -> None:
        resources = CrawlRun.of(self.crawler).resources
        hits = await asyncio.to_thread(resources.retriever().search, self.question, 2)
        self.answers.append([hit.chunk.source_url for hit in hits])

    def follow_leads(self) -> None:
        if self.frontier.add_seeds(self.leads, "a lead", widens_scope=True):
            raise DontCloseSpider


def test_a_spider_searches_what_is_stored_and_follows_leads_to_other_sites(
    site: Any, other_site: Any, crawl_with: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapy.core.engine.ExecutionEngine._SLOT_HEARTBEAT_INTERVAL", 0.1)
    site.page("/", text="Gardens have ponds, and ponds have fish that want their water moved all day long.")
    other_site.page(
        "/pump", text="The pump is primed by filling its housing with water before it is started."
    )
    LeadSpider.leads = (f"{other_site.url}/pump", f"{site.url}/")
    LeadSpider.answers = []
    run = crawl_with(LeadSpider, domains=site.url, question="How is the pump primed?")
    assert run.report["exit_code"] == 0
    assert {document["url"] for document in run.documents} == {f"{site.url}/", f"{other_site.url}/pump"}
    first, second = LeadSpider.answers
    assert set(first) == {f"{site.url}/"}
    assert second[0] == f"{other_site.url}/pump"
    assert run.failures == []
    assert "spider_exceptions/count" not in run.stats
