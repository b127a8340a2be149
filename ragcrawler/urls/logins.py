"""Headers and cookies that let a crawl into a site; each goes to the site it is for and to no other."""

import json
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# They say what is asked for and how it is framed: from outside, one of them could smuggle a second request.
_NOT_FOR_LOGIN = {"host", "content-length", "transfer-encoding", "connection", "cookie"}


class LoginError(ValueError):
    """A login that cannot be read. The message holds no value of it."""


class Logins:
    """The headers of each site, by its origin: scheme, host and port."""

    def __init__(self, headers: Mapping[str, Mapping[str, str]]) -> None:
        self._headers = headers

    def __bool__(self) -> bool:
        return bool(self._headers)

    def __repr__(self) -> str:
        return f"Logins(for {len(self._headers)} sites)"  # what is printed or logged holds no secret

    @classmethod
    def parse(cls, cookies: str, headers: str) -> "Logins":
        """Read two JSON objects by site.

        A site is `host`, `host:port` or an origin such as `http://host:8080`; without a scheme it is https.

        Args:
            cookies: `{"docs.example.org": "session=abc; theme=dark"}`, or "".
            headers: `{"docs.example.org": {"Authorization": "Bearer abc"}}`, or "".

        Raises:
            LoginError: they are none; it says what is wrong without repeating a value.
        """
        found: dict[str, dict[str, str]] = {}
        for site, values in _object(headers, "headers").items():
            if not isinstance(values, dict):
                raise LoginError('headers: give an object for each site: {"host": {"Name": "value"}}')
            for name, value in values.items():
                found.setdefault(_origin(site), {})[_checked_name(name)] = _check(value)
        for site, value in _object(cookies, "cookies").items():
            found.setdefault(_origin(site), {})["Cookie"] = _check(value)
        return cls(found)

    def of(self, url: str) -> Mapping[str, str]:
        """The headers for a canonical URL, none for most."""
        if not self._headers:
            return {}
        parts = urlsplit(url)
        return self._headers.get(f"{parts.scheme}://{parts.netloc}", {})


def _object(text: str, name: str) -> dict[str, object]:
    if not text:
        return {}
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise LoginError(f'{name}: this is no JSON object by site, such as {{"docs.example.org": ...}}')
    return value


def _origin(site: str) -> str:
    try:
        parts = urlsplit(canonical_url(site if "://" in site else f"https://{site}"))
    except UrlError as error:
        raise LoginError(f"a site is no host: {error.reason}") from error
    if parts.path != "/" or parts.query:
        raise LoginError(f"{parts.netloc}: name the host alone, without a path")
    return f"{parts.scheme}://{parts.netloc}"


def _checked_name(name: str) -> str:
    if not _HEADER_NAME.match(name):
        raise LoginError("headers: one of the names is none of a header")
    if name.lower() in _NOT_FOR_LOGIN:
        raise LoginError(f"headers: {name} cannot be set here")
    return name


def _check(value: object) -> str:
    if not isinstance(value, str) or not value or _CONTROL.search(value) or not value.isascii():
        raise LoginError("a value is no line of ASCII text")
    return value
