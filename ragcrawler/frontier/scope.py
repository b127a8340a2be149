"""The domain whitelist: where a crawl starts and what it may fetch."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import ScopeError, UrlError, shown
from ragcrawler.urls.host import is_ip_address

_ENTRY = re.compile(r"(?:(?P<scheme>https?)://)?(?P<wildcard>\*\.)?(?P<rest>[^\s*]+)\Z", re.IGNORECASE)
_WRITTEN_PORT = re.compile(r"[^/?#\\]*:(?P<port>[0-9]{1,5})(?=[/?#\\]|\Z)")
_HTTPS_PORTS = frozenset([443, 8443])
# The last segment of a start URL names a file if it ends like one; all others (`/docs`, `/3.11`) are folders.
_FILE = re.compile(r"/[^/]*\.(?:x?html?|php[0-9]?|aspx?|jsp|shtml|md|txt|pdf)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Site:
    """One entry of the whitelist.

    Attributes:
        host: canonical, without `www.`.
        port: None for the default port of either scheme.
        prefix: path under which everything belongs to the site; it ends with "/".
        subdomains: whether all subdomains belong to it (`*.a.org`).
        start_url: canonical.
        fallback_url: the same under http, where https was only guessed; else "".
    """

    host: str
    port: int | None
    prefix: str
    subdomains: bool
    start_url: str
    fallback_url: str = ""

    @property
    def name(self) -> str:
        """For people: `*.a.org`, `a.org:8080`, `a.org/docs/`."""
        port = "" if self.port is None else f":{self.port}"
        return f"{'*.' * self.subdomains}{self.host}{port}{self.prefix.rstrip('/') and self.prefix}"

    def contains(self, host: str, port: int | None, path: str) -> bool:
        """Whether an address belongs to the site; `host` is canonical and without `www.`."""
        if port != self.port or not (path.startswith(self.prefix) or path == self.prefix[:-1]):
            return False
        return host == self.host or (self.subdomains and host.endswith(f".{self.host}"))


@dataclass(frozen=True, slots=True)
class Scope:
    """The sites a crawl may visit.

    An entry is `host`, `host:port` or a URL:

    * http and https are both in scope, each at its default port, unless the entry names a port;
    * `a.org` covers `www.a.org` and the other way round; `*.a.org` covers every subdomain;
    * a path narrows: `https://c.org/docs/` covers what is under `/docs/`, and `/docs` itself. Where it ends
      in a file (`/docs/index.html`), its folder counts;
    * a crawl starts at the entry itself; where it names no scheme, at https, but at http for an entry with a
      port (other than 443 and 8443), for `localhost` and for IP addresses.
    """

    sites: tuple[Site, ...]
    # A crawl may have thousands of domains and asks about every link.
    _by_host: Mapping[str, list[Site]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_host: dict[str, list[Site]] = {}
        for site in self.sites:
            by_host.setdefault(site.host, []).append(site)
        object.__setattr__(self, "_by_host", by_host)

    @classmethod
    def parse(cls, domains: str | Iterable[str]) -> "Scope":
        """Read a whitelist from `a.org,b.org:8080,https://c.org/docs/` or from its entries.

        Raises:
            ScopeError: there is no entry, or one is no domain.
        """
        entries = domains.split(",") if isinstance(domains, str) else domains
        stripped = [entry.strip() for entry in entries]
        sites = tuple(dict.fromkeys(_parse_site(entry) for entry in stripped if entry))
        if not sites:
            raise ScopeError("the list of domains is empty; give at least one: domains=docs.example.org")
        return cls(sites)

    def with_hosts_of(self, urls: Iterable[str]) -> "Scope":
        """The scope and, whole, the hosts of some canonical URLs."""
        origins = dict.fromkeys(f"{urlsplit(url).scheme}://{urlsplit(url).netloc}/" for url in urls)
        further = [_parse_site(origin) for origin in origins if not self.contains(origin)]
        return Scope(tuple(dict.fromkeys((*self.sites, *further))))

    @property
    def start_urls(self) -> tuple[str, ...]:
        """Where the crawl begins: canonical, one for each site, without duplicates."""
        return tuple(dict.fromkeys(site.start_url for site in self.sites))

    def fallback_url(self, start_url: str) -> str:
        """The http URL of a start URL whose https was a guess, for when that cannot be reached; else ""."""
        return next((site.fallback_url for site in self.sites if site.start_url == start_url), "")

    def contains(self, url: str) -> bool:
        """Whether a canonical URL may be fetched."""
        return any(True for _ in self._sites_of(url))

    def covers_host(self, url: str) -> bool:
        """Whether a canonical URL lies on a host of the crawl, whatever its path."""
        parts = urlsplit(url)
        host = _without_www(_host(parts))
        return any(site.contains(host, parts.port, site.prefix) for site in self._sites_of_host(host))

    def prefix_of(self, url: str) -> str:
        """The path that was asked for: the shortest prefix among the sites that hold the URL, else "/"."""
        return min((site.prefix for site in self._sites_of(url)), key=len, default="/")

    def _sites_of(self, url: str) -> Iterable[Site]:
        parts = urlsplit(url)
        host = _without_www(_host(parts))
        return (site for site in self._sites_of_host(host) if site.contains(host, parts.port, parts.path))

    def _sites_of_host(self, host: str) -> Iterable[Site]:
        labels = host.split(".")
        parents = (".".join(labels[start:]) for start in range(len(labels)))
        return (site for parent in parents for site in self._by_host.get(parent, ()))


def _parse_site(entry: str) -> Site:
    match = _ENTRY.match(entry)
    if match is None:
        raise _no_domain(entry, "write it like docs.example.org or https://example.org/docs/")
    scheme, rest = match["scheme"], match["rest"]
    port = _WRITTEN_PORT.match(rest)
    try:
        parts = urlsplit(canonical_url(f"{scheme or 'http'}://{rest}"))
        guess = "" if scheme else _guessed_scheme(_host(parts), port)
        start_url = canonical_url(f"{scheme or guess}://{rest}")
    except UrlError as error:
        raise _no_domain(entry, str(error)) from error
    host = _host(parts)
    if guess and not port and not ("." in host or _is_local(host)):
        raise _no_domain(entry, f"for a host of your own network write http://{host}/")
    return Site(
        host=_without_www(host),
        port=urlsplit(start_url).port,
        prefix=_prefix(parts.path),
        subdomains=match["wildcard"] is not None,
        start_url=start_url,
        fallback_url=f"http{start_url.removeprefix('https')}" if guess == "https" and not port else "",
    )


def _guessed_scheme(host: str, port: re.Match[str] | None) -> str:
    plain = int(port["port"]) not in _HTTPS_PORTS if port else _is_local(host)
    return "http" if plain else "https"


def _is_local(host: str) -> bool:
    return host == "localhost" or is_ip_address(host)


def _no_domain(entry: str, advice: str) -> ScopeError:
    # What stands before an "@" may be a password, and the message goes to the log.
    return ScopeError(f"domains: {shown(entry.rpartition('@')[2])} is no domain; {advice}")


def _host(parts: SplitResult) -> str:
    return parts.hostname or ""


def _without_www(host: str) -> str:
    rest = host.removeprefix("www.")
    return rest if "." in rest else host


def _prefix(path: str) -> str:
    if _FILE.search(path):
        return path[: path.rindex("/") + 1]
    return path if path.endswith("/") else f"{path}/"
