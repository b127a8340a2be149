"""The settings of search engines."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import FromSettings, SettingsReader, setting
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
class SearchEnginesConfig(FromSettings):
    """Which engines there are, and how they are asked.

    Attributes:
        searxng_url: of one's own instance; "" for none.
        searxng_engines: that it shall ask; empty for those that it asks by itself.
        addresses: by engine, without a slash at the end.
        user_agent: of requests, and of the browser.
        suspensions_path: the file that remembers who is left alone.
        cookies_folder: where the browser's cookies are kept, by engine.
    """

    searxng_url: str
    searxng_engines: tuple[str, ...]
    addresses: Mapping[str, str]
    user_agent: str
    suspensions_path: Path
    cookies_folder: Path
    brave_key: str = setting("BRAVE_SEARCH_API_KEY", "text", secret=True)
    google_key: str = setting("GOOGLE_SEARCH_API_KEY", "text", secret=True)
    google_engine_id: str = setting("GOOGLE_SEARCH_ENGINE_ID", "text")
    obeys_robots: bool = setting("SEARCH_ROBOTS_OBEY", "flag")
    service_seconds: float = setting("SEARCH_DELAY_SECONDS", "amount")
    browser_seconds: float = setting("SEARCH_BROWSER_DELAY_SECONDS", "amount")
    timeout_seconds: float = setting("SEARCH_TIMEOUT_SECONDS", "number")
    chromium_path: str = setting("CHROMIUM_PATH", "text")

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        read = SettingsReader(settings)
        state = read.folder("OUTPUT_DIR") / "state"
        engines = (name.strip() for name in read.text("SEARXNG_ENGINES").split(","))
        return cls(
            searxng_url=read.address("SEARXNG_URL").rstrip("/").removesuffix("/search"),
            searxng_engines=tuple(name for name in engines if name),
            addresses=_addresses(settings.get("SEARCH_ADDRESSES")),
            user_agent=read.text("SEARCH_USER_AGENT") or read.text("USER_AGENT"),
            suspensions_path=state / "search_engines.db",
            cookies_folder=state / "search_cookies",
            **cls.read_fields(read),
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
