"""The settings of discovery: sitemaps, feeds, llms.txt."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ragcrawler.config.reader import SettingsReader
from ragcrawler.frontier import DiscoveryLimits
from ragcrawler.urls.listings import ListingLimits

_MODES = ("auto", "always", "off")
_MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class DiscoveryConfig:
    """When listings are asked for, and their bounds.

    Attributes:
        mode: "auto" asks unless the crawl is bound in depth: what a listing names has no depth.
        limits: of one file.
        max_urls: pages taken from all listings of one site.
        max_files: listings of one site.
        max_nesting: indexes within indexes.
        plan_pages: linked pages that a plan fetches; 0 where this is a crawl.
    """

    mode: Literal["auto", "always", "off"]
    limits: ListingLimits
    max_urls: int
    max_files: int
    max_nesting: int
    plan_pages: int = 0

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> "DiscoveryConfig":
        """Read and check the settings.

        Raises:
            SettingError: a setting is invalid.
        """
        read = SettingsReader(settings)
        return cls(
            mode=read.choice("SITEMAPS", _MODES),  # type: ignore[arg-type]  # checked by choice
            limits=ListingLimits(max_bytes=read.integer("SITEMAP_MAX_MEBIBYTES", minimum=1) * _MEBIBYTE),
            max_urls=read.integer("SITEMAP_MAX_URLS", minimum=1),
            max_files=read.integer("SITEMAP_MAX_FILES", minimum=1),
            max_nesting=read.integer("SITEMAP_MAX_NESTING"),
            plan_pages=read.integer("PLAN_PAGES"),
        )

    def asks(self, *, max_depth: int | None) -> bool:
        """Whether a crawl of this depth asks for listings; one of the start URLs alone never does."""
        return (self.mode == "always" and max_depth != 0) or (self.mode == "auto" and max_depth is None)

    def limits_of(self, *, max_depth: int | None) -> DiscoveryLimits:
        """The bounds for a crawl of this depth."""
        return DiscoveryLimits(
            is_on=self.asks(max_depth=max_depth),
            limits=self.limits,
            max_urls=self.max_urls,
            max_files=self.max_files,
            max_nesting=self.max_nesting,
        )
