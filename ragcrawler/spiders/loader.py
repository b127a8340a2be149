"""Finds a spider without importing the others: each brings what only it needs."""

from collections.abc import Mapping
from typing import Any, cast

from scrapy import Request, Spider
from scrapy.settings import BaseSettings
from scrapy.spiderloader import SpiderLoader
from scrapy.utils.misc import load_object

_PACKAGE = "ragcrawler.spiders"
SPIDERS: Mapping[str, str] = {
    "discover": f"{_PACKAGE}.discover.DiscoverSpider",
    "files": f"{_PACKAGE}.local.files.FilesSpider",
    "firecrawl": f"{_PACKAGE}.local.firecrawl.FireCrawlSpider",
    "research": f"{_PACKAGE}.research.ResearchSpider",
    "seeds": f"{_PACKAGE}.seeds.SeedsSpider",
}


class LazySpiderLoader(SpiderLoader):
    """Imports a spider of ours when it is loaded; other modules in SPIDER_MODULES are looked through at once.

    A spider of another module that has the name of one of ours replaces it.
    """

    def __init__(self, settings: BaseSettings) -> None:
        modules = settings.getlist("SPIDER_MODULES")
        others = [name for name in modules if name != _PACKAGE]
        warn_only = settings.getbool("SPIDER_LOADER_WARN_ONLY")
        super().__init__(BaseSettings({"SPIDER_MODULES": others, "SPIDER_LOADER_WARN_ONLY": warn_only}))
        self._ours = SPIDERS if _PACKAGE in modules else {}

    def load(self, spider_name: str) -> type[Spider]:
        """Import the spider of this name.

        Raises:
            KeyError: there is none.
        """
        if spider_name in self._ours and spider_name not in self._spiders:
            self._spiders[spider_name] = cast(type[Spider], load_object(self._ours[spider_name]))
        return super().load(spider_name)

    def list(self) -> list[str]:
        """The names of all spiders; none is imported for it."""
        return sorted({*self._ours, *self._spiders})

    def find_by_request(self, request: Request) -> Any:
        """The names of the spiders that can handle a request; all are imported for it."""
        for name in self._ours:
            self.load(name)
        return super().find_by_request(request)
