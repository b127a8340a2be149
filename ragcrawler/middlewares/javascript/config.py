"""The settings of JavaScript rendering, checked."""

from collections.abc import Mapping
from dataclasses import dataclass

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader
from ragcrawler.rendering.decision import Mode

_MODES = ("auto", "never", "always")
_MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class JavaScriptConfig:
    """When and how to render.

    Attributes:
        mode: "auto", "never" or "always".
        chromium_path: the browser; "" looks for it on PATH.
        max_pages: rendered in a crawl; 0 for any number.
        max_pages_per_host: likewise, of one host.
        concurrent_pages: open at the same time.
        page_seconds: time of one page, the wait for a free browser page apart.
        page_requests: that one page's scripts may make.
        page_bytes: of all that these bring, and of the rendered page.
        browser_pages: after which the browser is replaced.
        browser_bytes: resident size of the browser's processes after which it is replaced.
        min_quality: of a conversion; a page below it is rendered where its markup speaks for scripts.
    """

    mode: Mode
    chromium_path: str
    max_pages: int
    max_pages_per_host: int
    concurrent_pages: int
    page_seconds: float
    page_requests: int
    page_bytes: int
    browser_pages: int
    browser_bytes: int
    min_quality: float

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> "JavaScriptConfig":
        """Read the settings.

        Raises:
            SettingError: a setting is invalid.
        """
        read = SettingsReader(settings)
        return cls(
            mode=read.choice("JAVASCRIPT", _MODES),  # type: ignore[arg-type]  # checked by choice
            chromium_path=read.text("CHROMIUM_PATH"),
            max_pages=read.integer("JAVASCRIPT_MAX_PAGES"),
            max_pages_per_host=read.integer("JAVASCRIPT_MAX_PAGES_PER_HOST"),
            concurrent_pages=read.integer("JAVASCRIPT_CONCURRENT_PAGES", minimum=1),
            page_seconds=read.number("JAVASCRIPT_PAGE_TIMEOUT_SECONDS"),
            page_requests=read.integer("JAVASCRIPT_MAX_REQUESTS_PER_PAGE", minimum=1),
            page_bytes=read.integer("JAVASCRIPT_MAX_PAGE_MEBIBYTES", minimum=1) * _MEBIBYTE,
            browser_pages=read.integer("JAVASCRIPT_PAGES_PER_BROWSER", minimum=1),
            browser_bytes=read.integer("JAVASCRIPT_MAX_MEMORY_MEBIBYTES", minimum=256) * _MEBIBYTE,
            min_quality=_share(read, "JAVASCRIPT_MIN_QUALITY"),
        )


def _share(read: SettingsReader, name: str) -> float:
    share = read.amount(name)
    if share > 1:
        raise SettingError(name, share, "a number from 0 to 1")
    return share
