"""From a link on a page of results to the address that it leads to."""

import base64
import binascii
from dataclasses import dataclass
from urllib.parse import parse_qs, urljoin, urlsplit

from ragcrawler.search_engines.pages.definition import EngineDefinition, Wrapper

_DEEPEST = 3  # wrappers within wrappers
_PREFIX_CHARACTERS = 2
_MAX_CHARACTERS = 8_192


@dataclass(frozen=True, slots=True)
class LinkReader:
    """Reads the links of one engine's page.

    Attributes:
        definition: of the engine.
        page_url: that the links are relative to.
    """

    definition: EngineDefinition
    page_url: str

    def outside_url(self, href: str) -> str:
        """Where a link leads, "" where that is the engine itself, an advertiser, or no http(s) address."""
        url = href if len(href) <= _MAX_CHARACTERS else ""
        for _ in range(_DEEPEST + 1):
            try:
                url = urljoin(self.page_url, url.strip())
                parts = urlsplit(url)
                host = parts.hostname or ""
            except ValueError:
                return ""
            if parts.scheme not in ("http", "https") or not host:
                return ""
            if not self._is_own(url):
                return url
            wrapper = next((each for each in self.definition.wrappers if parts.path == each.path), None)
            if wrapper is None or parts.path in self.definition.ad_paths:
                return ""
            url = _wrapped(wrapper, parts.query)
            if not url:
                return ""
        return ""

    def _is_own(self, url: str) -> bool:
        parts, page = urlsplit(url), urlsplit(self.page_url)
        host = parts.hostname or ""
        own = (f".{domain}" for domain in self.definition.own_domains)
        return parts.netloc == page.netloc or any(f".{host}".endswith(domain) for domain in own)


def _wrapped(wrapper: Wrapper, query: str) -> str:
    try:
        values = parse_qs(query, max_num_fields=100)
    except ValueError:
        return ""
    value = next((values[name][0] for name in wrapper.parameters if name in values), "")
    if wrapper.encoding == "plain":
        return value
    try:
        encoded = value[_PREFIX_CHARACTERS:].encode("ascii")
        return base64.urlsafe_b64decode(encoded + b"=" * (-len(encoded) % 4)).decode()
    except (binascii.Error, UnicodeError, ValueError):
        return ""
