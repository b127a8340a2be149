"""What a filter is asked about."""

from collections.abc import Callable
from typing import NamedTuple


class Candidate(NamedTuple):
    """A canonical URL, before it is fetched.

    Attributes:
        url: it.
        depth: links followed from a start URL.
        language: that its link names by `hreflang`, "" where it names none.
        below: a path prefix that was asked for, and is not judged.
    """

    url: str
    depth: int = 0
    language: str = ""
    below: str = "/"


Check = Callable[[Candidate], str | None]
"""The reason to leave a candidate out, None where a filter has none; `docs/crawling.md` explains each."""
