"""Errors of URLs, domains and patterns."""

import re
from typing import Literal

UrlReason = Literal["not_a_url", "not_http", "credentials", "bad_host", "bad_port", "too_long"]

_SHOWN_CHARACTERS = 200
# Whatever stands between a scheme and an "@" may be a password.
_CREDENTIALS = re.compile(r"\s*+([^@/?#:]*+:)?(//)?[^/?#]*@")


class UrlError(ValueError):
    """A URL that is not crawled as it stands.

    Attributes:
        reason: a short word to count by.
    """

    def __init__(self, reason: UrlReason, message: str) -> None:
        super().__init__(message)
        self.reason: UrlReason = reason

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Pickle both arguments: the exception crosses the border of worker processes."""
        return type(self), (self.reason, str(self))


class ScopeError(ValueError):
    """A list of domains that names none, or something that is no domain."""


class VariantError(ValueError):
    """A language or version that cannot be meant."""


class PatternError(ValueError):
    """A regular expression that does not compile; says which setting, its value and why."""

    def __init__(self, name: str, pattern: str, cause: str) -> None:
        super().__init__(
            f"{name}={shown(pattern)} is no regular expression: {cause}; mend it or leave it empty"
        )
        self.name = name
        self.pattern = pattern
        self.cause = cause

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Pickle the arguments, not the sentence made from them."""
        return type(self), (self.name, self.pattern, self.cause)


def shown(text: str) -> str:
    """A value as it stands in a message: quoted, escaped, and cut where it is very long."""
    cut = text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "..."
    return repr(cut)


def shown_url(url: str) -> str:
    """A URL, or what should be one, as it stands in a message: without credentials."""
    return shown(_CREDENTIALS.sub(r"\1\2...@", url, count=1) if _CREDENTIALS.match(url) else url)
