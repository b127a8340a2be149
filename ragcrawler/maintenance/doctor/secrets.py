"""Keeps passwords and keys out of what is shown."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote, urlsplit

from ragcrawler.urls.credentials import HIDDEN, mask_credentials

_NAMES = re.compile(r"(_KEY|_TOKEN|_COOKIES|_HEADERS)$")
_ADDRESSES = ("REDIS_URL", "POSTGRES_DSN", "ROTATING_PROXY_LIST")
_URL = re.compile(r"[\w+]+://[^\s,]+")
_FEWEST_CHARACTERS = 4  # shorter ones would take other words with them


class Mask:
    """Replaces the secrets of some settings by `***`."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        found = {each for each in _secrets(settings) if len(each) >= _FEWEST_CHARACTERS}
        self._secrets = sorted(found, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        """The text without them."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return mask_credentials(text)


def _secrets(settings: Mapping[str, object]) -> Iterator[str]:
    for name in settings:
        if _NAMES.search(name):
            yield str(settings.get(name) or "")
    for name in _ADDRESSES:
        for url in _URL.findall(str(settings.get(name) or "")):
            yield from _passwords(url)


def _passwords(url: str) -> Iterator[str]:
    try:
        parts = urlsplit(url)
        password = parts.password or ""
    except ValueError:  # no address at all: the probe that reads it says so
        return
    yield password
    yield unquote(password)
    yield parts.query
