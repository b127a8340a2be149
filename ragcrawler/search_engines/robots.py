"""What the robots.txt of engines allows to ask for."""

from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from ragcrawler.search_engines.engine import EngineReply, EngineRequest, Fetcher, FetchError
from ragcrawler.urls.robots.rules import RobotsRules

_MAX_REDIRECTS = 5  # RFC 9309, section 2.3.1.2
_REDIRECTS = {301, 302, 303, 307, 308}
_MISSING = range(400, 500)
_TOO_MANY_REQUESTS = 429
_OVERRIDE = "SEARCH_ROBOTS_OBEY=False asks all the same"


@dataclass(slots=True)
class EngineRobots:
    """Fetches each host's rules once a run; what cannot be fetched forbids (RFC 9309, section 2.3.1).

    Attributes:
        fetcher: by the way that the pages of results come, proxies included.
        product_token: of this program.
    """

    fetcher: Fetcher
    product_token: str
    _rules: dict[str, RobotsRules | None] = field(default_factory=dict)

    async def refusal(self, url: str) -> str:
        """Why a page may not be asked for; "" where it may be."""
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self._rules:
            self._rules[origin] = await self._fetch(origin)
        rules = self._rules[origin]
        if rules is None:
            return f"{origin}/robots.txt could not be fetched; {_OVERRIDE}"
        return "" if rules.allow(url) else f"{origin}/robots.txt forbids its pages of results; {_OVERRIDE}"

    async def _fetch(self, origin: str) -> RobotsRules | None:
        url = f"{origin}/robots.txt"
        for _ in range(_MAX_REDIRECTS + 1):
            try:
                reply = await self.fetcher.fetch(EngineRequest("robots.txt", url))
            except FetchError:
                return None
            if reply.status not in _REDIRECTS:
                return self._read(reply)
            url = urljoin(url, reply.headers.get("location", ""))
            if not _is_same_site(origin, url):
                return None
        return None

    def _read(self, reply: EngineReply) -> RobotsRules | None:
        if reply.status == 200:  # noqa: PLR2004 - of HTTP
            return RobotsRules.parse(reply.body.encode(), self.product_token)
        is_missing = reply.status in _MISSING and reply.status != _TOO_MANY_REQUESTS
        return RobotsRules(self.product_token) if is_missing else None


def _is_same_site(origin: str, url: str) -> bool:
    """Whether a redirect stays with the host, `www.` or not."""
    hosts = {(urlsplit(each).hostname or "").removeprefix("www.") for each in (origin, url)}
    return len(hosts) == 1
