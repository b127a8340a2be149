"""The rules of a robots.txt for this crawler (RFC 9309)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from protego import Protego

# RFC 9309, section 2.5: a crawler parses 500 KiB at the least.
MAX_ROBOTS_BYTES = 512 * 1024

_ALL = "*"
_NOBODY = "-"
# Protego takes a blank for the colon too.
_USER_AGENT = re.compile(r"[ \t]*user[- ]?agent[ \t]*[: \t][ \t]*([^#]*)", re.IGNORECASE)
# The rules, with the misspellings that Protego forgives.
_RULE = re.compile(r"[ \t]*(?:d\w*al+\w*w|al+o\w*w)", re.IGNORECASE)
_TIMING = re.compile(r"[ \t]*(?:crawl|request|visit)", re.IGNORECASE)
_SITE_WIDE = re.compile(r"[ \t]*(?:site[- ]?map|host)", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z_-]+")


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one host for one product token; without a parser everything is allowed.

    Attributes:
        product_token: the name that `User-agent` lines are compared with.
        parser: what was read.
    """

    product_token: str
    parser: Protego | None = None

    @classmethod
    def parse(cls, body: bytes, product_token: str) -> "RobotsRules":
        """Read a robots.txt, the first 512 KiB of it; what is malformed is left out."""
        text = _whole_lines(body).decode("utf-8-sig", "replace")
        return cls(product_token, Protego.parse("\n".join(_addressed(text, product_token.lower()))))

    def allow(self, url: str) -> bool:
        """Whether a URL may be fetched."""
        return self.parser is None or bool(self.parser.can_fetch(url, self.product_token))

    @property
    def delay_seconds(self) -> float:
        """Between two requests, by `Crawl-delay` or `Request-rate`, the longer; 0.0 without either."""
        if self.parser is None:
            return 0.0
        rate = self.parser.request_rate(self.product_token)
        return max(
            self.parser.crawl_delay(self.product_token) or 0.0,
            rate.seconds / rate.requests if rate else 0.0,
        )

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The `Sitemap` lines, as written, each once."""
        return () if self.parser is None else tuple(dict.fromkeys(self.parser.sitemaps))


def _whole_lines(body: bytes) -> bytes:
    if len(body) <= MAX_ROBOTS_BYTES:
        return body
    # Half of a rule may be a wider one: "/private" cut to "/".
    return body[:MAX_ROBOTS_BYTES].rpartition(b"\n")[0]


def _addressed(text: str, product_token: str) -> Iterator[str]:
    """The lines, each group with its agents before it, and one name for all agents but this.

    Protego gives each rule of a group to each of its agents: a file of half a megabyte with as many agents as
    rules would take gigabytes. It also takes the beginning of a token for the token. And it lets any record
    between two `User-agent` lines end the group; `Crawl-delay` and other records must not interfere (RFC
    9309, section 2.2.4). A delay is for the agents before it alone: it often stands between two of them.
    """
    group = _Agents()
    timed = _Agents()
    timings: list[str] = []
    for line in text.splitlines():
        if (match := _USER_AGENT.match(line)) is not None:
            agent = _agent(match[1].strip().lower(), product_token)
            group.add(agent)
            timed.add(agent)
        elif _RULE.match(line):
            yield from group.lines()
            yield line
            timed.close()
        elif _TIMING.match(line):
            timings += [*timed.lines(), line]
        elif _SITE_WIDE.match(line):
            yield line
    yield from group.lines()
    yield from timings


class _Agents:
    """Those of one group, which is closed by what is said to them."""

    def __init__(self) -> None:
        self._unwritten: dict[str, None] = {}
        self._is_closed = False

    def add(self, name: str) -> None:
        if self._is_closed:
            self._unwritten.clear()
            self._is_closed = False
        self._unwritten[name] = None

    def close(self) -> None:
        self._is_closed = True

    def lines(self) -> list[str]:
        """Their `User-agent` lines, once; the group is closed then."""
        self.close()
        names = list(self._unwritten)
        self._unwritten.clear()
        return [f"User-agent: {name}" for name in names]


def _agent(value: str, product_token: str) -> str:
    if value.startswith(_ALL):
        return _ALL
    token = _TOKEN.match(value)
    return product_token if token and token.group() == product_token else _NOBODY
