"""The user's rules: regular expressions on the URL that include or exclude pages."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from ragcrawler.frontier.filters.candidate import Candidate
from ragcrawler.frontier.filters.patterns import compile_pattern

Refusal = Literal["not_included", "excluded"]


@dataclass(frozen=True, slots=True)
class UrlRules:
    """Patterns searched for anywhere in a canonical URL, and in its readable form without percent-encoding.

    Attributes:
        include: where there are any, one of them has to be found.
        exclude: none of them may be found; they outweigh `include`.
    """

    include: tuple[re.Pattern[str], ...] = ()
    exclude: tuple[re.Pattern[str], ...] = ()

    @classmethod
    def parse(cls, include: str | Iterable[str] = (), exclude: str | Iterable[str] = ()) -> "UrlRules":
        """Compile patterns; in one string they are parted by white space, which no URL contains.

        Raises:
            PatternError: one of them is no regular expression.
        """
        return cls(_compiled("include", include), _compiled("exclude", exclude))

    def refusal(self, candidate: Candidate) -> Refusal | None:
        """Why a candidate is not wanted, or None where it is."""
        url = candidate.url
        forms = (url, unquote(url)) if "%" in url else (url,)
        if self.include and not _found(self.include, forms):
            return "not_included"
        return "excluded" if _found(self.exclude, forms) else None


def _compiled(name: str, patterns: str | Iterable[str]) -> tuple[re.Pattern[str], ...]:
    parts = patterns.split() if isinstance(patterns, str) else patterns
    return tuple(compile_pattern(name, pattern) for pattern in parts if pattern)


def _found(patterns: Iterable[re.Pattern[str]], forms: Iterable[str]) -> bool:
    return any(pattern.search(form) for pattern in patterns for form in forms)
