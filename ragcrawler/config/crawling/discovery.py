"""The settings of discovery: sitemaps, feeds, llms.txt."""

from dataclasses import dataclass
from typing import Literal

from ragcrawler.config.reader import FromSettings, setting
from ragcrawler.frontier import DiscoveryLimits
from ragcrawler.urls.listings import ListingLimits


@dataclass(frozen=True, slots=True)
class DiscoveryConfig(FromSettings):
    """When listings are asked for, and their bounds.

    Attributes:
        mode: "auto" asks unless the crawl is bound in depth: what a listing names has no depth.
        max_bytes: of one file.
        plan_pages: linked pages that a plan fetches; 0 where this is a crawl.
    """

    mode: Literal["auto", "always", "off"] = setting("SITEMAPS", "choice", choices=("auto", "always", "off"))
    max_bytes: int = setting("SITEMAP_MAX_MEBIBYTES", "mebibytes", minimum=1)
    max_urls: int = setting("SITEMAP_MAX_URLS", "integer", minimum=1)
    max_files: int = setting("SITEMAP_MAX_FILES", "integer", minimum=1)
    max_nesting: int = setting("SITEMAP_MAX_NESTING", "integer")
    plan_pages: int = setting("PLAN_PAGES", "integer")

    def asks(self, *, max_depth: int | None) -> bool:
        """Whether a crawl of this depth asks for listings; one of the start URLs alone never does."""
        return (self.mode == "always" and max_depth != 0) or (self.mode == "auto" and max_depth is None)

    def limits_of(self, *, max_depth: int | None) -> DiscoveryLimits:
        """The bounds for a crawl of this depth."""
        return DiscoveryLimits(
            is_on=self.asks(max_depth=max_depth),
            limits=ListingLimits(max_bytes=self.max_bytes),
            max_urls=self.max_urls,
            max_files=self.max_files,
            max_nesting=self.max_nesting,
        )
