"""Which links are worth a request."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from scrapy.linkextractors import IGNORED_EXTENSIONS

from ragcrawler.spiders.arguments import SeedsArguments
from ragcrawler.urls.junk import DEFAULT_JUNK_URL_PATTERN, JunkFilter
from ragcrawler.urls.traps import TrapLimits, Traps
from ragcrawler.urls.variants import Variants

# Formats that Scrapy's list leaves out of a crawl and that can be read here.
_READABLE = {"pdf", "doc", "docx", "ppt", "pptx", "xls", "xlsx", "odt", "epub", "md", "rst", "txt"}
_IGNORED = frozenset(IGNORED_EXTENSIONS) - _READABLE


class Admission:
    """Says of a link, before it is fetched, why it is left out.

    Args:
        arguments: scope, rules and depth.
        junk_pattern: None for the default, "" for none.
        traps: bounds of what may be endless.
    """

    def __init__(self, arguments: SeedsArguments, junk_pattern: str | None, traps: TrapLimits) -> None:
        self._scope = arguments.scope
        self._rules = arguments.rules
        self._max_depth = arguments.max_depth
        self._junk = JunkFilter(DEFAULT_JUNK_URL_PATTERN if junk_pattern is None else junk_pattern)
        self._variants = Variants(arguments.variants)
        self._traps = Traps(traps)

    def see(self, urls: Iterable[str]) -> None:
        """Look at URLs that were found together, before each is judged."""
        for url in urls:
            self._variants.see([url], below=self._scope.prefix_of(url))

    def refusal(self, url: str, depth: int, language: str = "") -> str:
        """The reason to skip a canonical URL, "" where there is none.

        Args:
            url: found somewhere.
            depth: links followed from a start URL.
            language: that its link names, "" where it names none.
        """
        if not self._scope.contains(url):
            return "offsite"
        if _extension(url) in _IGNORED:
            return "media"
        prefix = self._scope.prefix_of(url)
        if self._junk.matches(url, below=prefix):
            return "junk"
        if refusal := self._rules.refusal(url) or self._variants.refusal(
            url, below=prefix, language=language
        ):
            return refusal
        if self._max_depth is not None and depth > self._max_depth:
            return "max_depth"
        return self._traps.refusal(url) or ""


def _extension(url: str) -> str:
    segment = urlsplit(url).path.rpartition("/")[2]
    return segment.rpartition(".")[2].lower() if "." in segment else ""
