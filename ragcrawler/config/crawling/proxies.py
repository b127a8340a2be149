"""The settings of scrapy-rotating-proxies, checked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader

if TYPE_CHECKING:
    from ragcrawler.tor.exits import TorExit

TOR_FOLDER = "tor"
"""In `OUTPUT_DIR`: where `scrapy tor` lists its clients."""

# Another circuit is ready soon after a ban; a proxy with one address has to wait much longer. Tor takes a new
# one every 10 seconds at most.
_TOR_BACKOFF_BASE_SECONDS = 10.0
_TOR_BACKOFF_CAP_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class ProxyConfig:
    """How to rotate.

    Attributes:
        addresses: a name without credentials -> the proxy's URL with them. Several accounts on one gateway
            are several proxies.
        page_retries: other proxies to try for a page.
        backoff_base_seconds: upper bound of a dead proxy's first rest; it doubles with each further one.
        backoff_cap_seconds: upper bound of all of them.
        closes_spider: end the crawl as soon as no proxy is alive, instead of trying the dead ones again.
        tor_exits: the Tor clients behind the proxies, which can take another exit; empty for other proxies.
    """

    addresses: Mapping[str, str]
    page_retries: int
    backoff_base_seconds: float
    backoff_cap_seconds: float
    closes_spider: bool
    tor_exits: "tuple[TorExit, ...]" = ()

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> "ProxyConfig":
        """Read the settings.

        Raises:
            NotConfigured: there is no list of proxies.
            SettingError: the list is empty or holds what is no HTTP proxy, a number is out of its range, or
                Tor is asked for and does not run.
        """
        exits = _tor_exits(settings)
        base = _number(settings, "ROTATING_PROXY_BACKOFF_BASE", 300, least=0.001)
        cap = _number(settings, "ROTATING_PROXY_BACKOFF_CAP", 3600, least=0.001)
        return cls(
            addresses=_named([each.proxy for each in exits] or _list(settings)),
            page_retries=int(_number(settings, "ROTATING_PROXY_PAGE_RETRY_TIMES", 5, least=0)),
            backoff_base_seconds=min(base, _TOR_BACKOFF_BASE_SECONDS) if exits else base,
            backoff_cap_seconds=min(cap, _TOR_BACKOFF_CAP_SECONDS) if exits else cap,
            closes_spider=settings.getbool("ROTATING_PROXY_CLOSE_SPIDER", False),
            tor_exits=exits,
        )


def _tor_exits(settings: BaseSettings) -> "tuple[TorExit, ...]":
    """The clients of `scrapy tor` where the crawl asks for them."""
    wanted = settings.get("PROXY") or ""
    if not wanted:
        return ()
    if wanted != "tor":
        raise SettingError("PROXY", wanted, "tor or empty; ROTATING_PROXY_LIST takes other proxies")
    if settings.get("ROTATING_PROXY_LIST_PATH") or settings.getlist("ROTATING_PROXY_LIST"):
        raise SettingError("PROXY", wanted, "empty where ROTATING_PROXY_LIST names other proxies")
    from ragcrawler.tor.errors import TorError
    from ragcrawler.tor.exits import read_exits

    try:
        exits = read_exits(SettingsReader(settings).folder("OUTPUT_DIR").absolute() / TOR_FOLDER)
    except TorError as error:
        raise SettingError("PROXY", wanted, f"used while Tor runs: {error}") from error
    if not exits:
        raise SettingError("PROXY", wanted, "used while a Tor client is connected: none is at the moment")
    return exits


def _number(settings: BaseSettings, name: str, default: float, *, least: float) -> float:
    value = settings.get(name, default)
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not least <= number < float("inf"):
        raise SettingError(name, value, f"a number of at least {least}")
    return number


def _list(settings: BaseSettings) -> list[str]:
    path = settings.get("ROTATING_PROXY_LIST_PATH")
    if not path:
        entries = _without_comments(settings.getlist("ROTATING_PROXY_LIST"))
        if not entries:
            raise NotConfigured  # without a reason: Scrapy would warn of it in every crawl
        return entries
    try:
        entries = _without_comments(Path(path).read_text(encoding="utf-8").splitlines())
    except OSError as error:
        raise SettingError(
            "ROTATING_PROXY_LIST_PATH", path, f"a file that can be read ({error.strerror})"
        ) from error
    if not entries:  # whoever asks for proxies must not be sent out without one
        raise SettingError("ROTATING_PROXY_LIST_PATH", path, "a file with a proxy on each line")
    return entries


def _without_comments(lines: Iterable[str]) -> list[str]:
    stripped = (line.strip() for line in lines)
    return list(dict.fromkeys(line for line in stripped if line and not line.startswith("#")))


def _named(entries: list[str]) -> dict[str, str]:
    addresses: dict[str, str] = {}
    for number, entry in enumerate(entries, start=1):
        url = entry if "://" in entry else f"http://{entry}"
        endpoint = _endpoint(url, number)
        name = f"{endpoint}#{number}" if endpoint in addresses else endpoint
        addresses[name] = url
    return addresses


def _endpoint(url: str, number: int) -> str:
    parts = urlsplit(url)
    name = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    # Scrapy's download handler speaks neither SOCKS nor TLS to a proxy.
    if parts.scheme != "http" or not parts.hostname or not _has_port(url):
        expected = (
            "http://[user:password@]host:port; for SOCKS put an HTTP proxy before it, as tor-proxy does"
        )
        raise SettingError("ROTATING_PROXY_LIST", f"entry {number}, {name}", expected)
    return name


def _has_port(url: str) -> bool:
    try:
        return urlsplit(url).port is not None
    except ValueError:
        return False
