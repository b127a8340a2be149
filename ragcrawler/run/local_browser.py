"""How a browser of this machine is started by scrapy-playwright."""

from typing import Any

from scrapy_playwright.handler import Config


def local_browser_config(options: dict[str, Any], page_seconds: float) -> Config:
    """The handler's configuration.

    It is not read from settings: a browser somewhere else, by PLAYWRIGHT_CDP_URL say, would have a network.

    Args:
        options: of the launch.
        page_seconds: that a page may take to come.
    """
    return Config(
        cdp_url=None,
        cdp_kwargs={},
        connect_url=None,
        connect_kwargs={},
        browser_type_name="chromium",
        launch_options=options,
        max_pages_per_context=1,
        max_contexts=None,
        startup_context_kwargs={},
        navigation_timeout_ms=page_seconds * 1000,
        download_timeout_secs=1.0,
        restart_disconnected_browser=True,
        target_closed_max_retries=0,
    )
