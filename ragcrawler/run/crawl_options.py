"""The options of a crawl that concern its collection."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """The spider's arguments that matter to the collection.

    Attributes:
        contains: whether a canonical URL belongs to what is crawled; None where nothing may be deleted.
        starts_at_domains: whether it begins where its domains do, and so finds what they link to.
        crawl: fingerprint of what decides which pages the crawl leads to.
        attempts: how often the URLs of a retry were tried before.
        is_dry: whether it only says what it would write.
        is_forced: whether it may delete more than the brake allows.
        max_pages: pages kept at the most, 0 for no bound.
        asks_for_due: whether it asks for no stored page that is not due.
    """

    contains: Callable[[str], bool] | None = None
    starts_at_domains: bool = False
    crawl: str = ""
    attempts: Mapping[str, int] = field(default_factory=dict)
    is_dry: bool = False
    is_forced: bool = False
    max_pages: int = 0
    asks_for_due: bool = False
