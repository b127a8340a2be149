"""The settings of JavaScript rendering, checked."""

from dataclasses import dataclass

from ragcrawler.config.reader import FromSettings, setting
from ragcrawler.rendering.decision import Mode


@dataclass(frozen=True, slots=True)
class JavaScriptConfig(FromSettings):
    """When and how to render; `docs/settings.md` explains each setting.

    Attributes:
        page_seconds: time of one page, the wait for a free browser page apart.
        page_bytes: of all that a page's scripts bring, and of the rendered page.
        browser_bytes: resident size of the browser's processes after which it is replaced.
    """

    mode: Mode = setting("JAVASCRIPT", "choice", choices=("auto", "never", "always"))
    chromium_path: str = setting("CHROMIUM_PATH", "text")
    max_pages: int = setting("JAVASCRIPT_MAX_PAGES", "integer")
    max_pages_per_host: int = setting("JAVASCRIPT_MAX_PAGES_PER_HOST", "integer")
    concurrent_pages: int = setting("JAVASCRIPT_CONCURRENT_PAGES", "integer", minimum=1)
    page_seconds: float = setting("JAVASCRIPT_PAGE_TIMEOUT_SECONDS", "number")
    page_requests: int = setting("JAVASCRIPT_MAX_REQUESTS_PER_PAGE", "integer", minimum=1)
    page_bytes: int = setting("JAVASCRIPT_MAX_PAGE_MEBIBYTES", "mebibytes", minimum=1)
    browser_pages: int = setting("JAVASCRIPT_PAGES_PER_BROWSER", "integer", minimum=1)
    browser_bytes: int = setting("JAVASCRIPT_MAX_MEMORY_MEBIBYTES", "mebibytes", minimum=256)
    min_quality: float = setting("JAVASCRIPT_MIN_QUALITY", "share")
