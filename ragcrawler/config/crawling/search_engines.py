"""The settings of search engines."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader
from ragcrawler.search_engines.definitions import DEFINITIONS

SERVICES = {
    "searxng": "SEARXNG_URL",
    "brave_api": "BRAVE_SEARCH_API_KEY",
    "google_api": "GOOGLE_SEARCH_API_KEY",
}
"""Engines with an interface for programs, in the order in which they break ties, and what each needs."""

ENGINES = (*SERVICES, *DEFINITIONS)
_ADDRESSES = {
    "brave_api": "https://api.search.brave.com",
    "google_api": "https://customsearch.googleapis.com",
    **{name: definition.base_url for name, definition in DEFINITIONS.items()},
}


@dataclass(frozen=True, slots=True)
class SearchEnginesConfig:
    """Which engines there are, and how they are asked.

    Attributes:
        searxng_url: of one's own instance; "" for none.
        searxng_engines: that it shall ask; empty for those that it asks by itself.
        brave_key: of Brave Search's interface; "" for none.
        google_key: of Google's interface; "" for none.
        google_engine_id: of the programmable search engine.
        addresses: by engine, without a slash at the end.
        obeys_robots: whether pages of results are left alone that robots.txt forbids.
        service_seconds: between two requests to a service, on average.
        browser_seconds: between two pages in the browser, on average.
        timeout_seconds: of one request.
        user_agent: of requests, and of the browser.
        suspensions_path: the file that remembers who is left alone.
        cookies_folder: where the browser's cookies are kept, by engine.
        chromium_path: the browser; "" looks for it on PATH.
    """

    searxng_url: str
    searxng_engines: tuple[str, ...]
    brave_key: str = field(repr=False)
    google_key: str = field(repr=False)
    google_engine_id: str
    addresses: Mapping[str, str]
    obeys_robots: bool
    service_seconds: float
    browser_seconds: float
    timeout_seconds: float
    user_agent: str
    suspensions_path: Path
    cookies_folder: Path
    chromium_path: str

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> "SearchEnginesConfig":
        """Read and check the settings.

        Raises:
            SettingError: a setting is invalid.
        """
        read = SettingsReader(settings)
        state = read.folder("OUTPUT_DIR") / "state"
        return cls(
            searxng_url=read.address("SEARXNG_URL").rstrip("/").removesuffix("/search"),
            searxng_engines=tuple(
                name.strip() for name in read.text("SEARXNG_ENGINES").split(",") if name.strip()
            ),
            brave_key=read.text("BRAVE_SEARCH_API_KEY"),
            google_key=read.text("GOOGLE_SEARCH_API_KEY"),
            google_engine_id=read.text("GOOGLE_SEARCH_ENGINE_ID"),
            addresses=_addresses(settings.get("SEARCH_ADDRESSES")),
            obeys_robots=read.flag("SEARCH_ROBOTS_OBEY"),
            service_seconds=read.amount("SEARCH_DELAY_SECONDS"),
            browser_seconds=read.amount("SEARCH_BROWSER_DELAY_SECONDS"),
            timeout_seconds=read.number("SEARCH_TIMEOUT_SECONDS"),
            user_agent=read.text("SEARCH_USER_AGENT") or read.text("USER_AGENT"),
            suspensions_path=state / "search_engines.db",
            cookies_folder=state / "search_cookies",
            chromium_path=read.text("CHROMIUM_PATH"),
        )

    def chosen(self, names: str, argument: str = "engines") -> tuple[str, ...]:
        """The engines of a list with commas; without one the services that are set up.

        Args:
            names: with commas.
            argument: that holds them, for messages.

        Raises:
            ValueError: there is no such engine, one lacks a setting, or none is set up.
        """
        wanted = tuple(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
        unknown = next((name for name in wanted if name not in ENGINES), "")
        if unknown:
            raise ValueError(f"-a {argument}: there is no {unknown!r}; there are {', '.join(ENGINES)}")
        lacking = next((name for name in wanted if not self._is_set_up(name)), "")
        if lacking:
            raise ValueError(f"-a {argument}: {lacking} needs {self._needs(lacking)}")
        found = wanted or tuple(name for name in SERVICES if self._is_set_up(name))
        if not found:
            needs = "; ".join(f"{name} by {self._needs(name)}" for name in SERVICES)
            browser = ", ".join(DEFINITIONS)
            raise ValueError(
                f"no search engine is set up: {needs}. By browser, when you name them: {browser}"
            )
        return found

    def _is_set_up(self, name: str) -> bool:
        return {
            "searxng": bool(self.searxng_url),
            "brave_api": bool(self.brave_key),
            "google_api": bool(self.google_key and self.google_engine_id),
        }.get(name, True)

    @staticmethod
    def _needs(name: str) -> str:
        return SERVICES[name] + (" and GOOGLE_SEARCH_ENGINE_ID" if name == "google_api" else "")


def _addresses(value: object) -> Mapping[str, str]:
    """The usual addresses, with those that are set in their place."""
    expected = "a dict, or JSON of one, from engines to http or https addresses"
    try:
        given = json.loads(value or "{}") if isinstance(value, str) else dict(value or {})  # type: ignore[call-overload]
    except (ValueError, TypeError):
        raise SettingError("SEARCH_ADDRESSES", value, expected) from None
    if not isinstance(given, dict) or not set(given) <= set(_ADDRESSES):
        raise SettingError("SEARCH_ADDRESSES", value, f"{expected}; engines are {', '.join(_ADDRESSES)}")
    read = SettingsReader(given)
    return {name: (read.address(name) or usual).rstrip("/") for name, usual in _ADDRESSES.items()}
