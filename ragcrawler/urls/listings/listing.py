"""The contents of a listing, and its limits."""

from dataclasses import dataclass
from typing import Literal

Problem = Literal["", "too_large", "entities", "malformed"]

_MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class ListingLimits:
    """Bounds of one file; the defaults are those of the sitemap protocol (sitemaps.org).

    Attributes:
        max_bytes: after decompression.
        max_urls: distinct URLs that are taken from it.
    """

    max_bytes: int = 50 * _MEBIBYTE
    max_urls: int = 50_000


@dataclass(frozen=True, slots=True)
class ListedUrl:
    """A page as a listing names it.

    Attributes:
        url: canonical.
        last_modified: a W3C date or time as it was written, "" where there is none.
        language: of a page that is named as a translation of another, a BCP 47 tag in lower case; else "".
    """

    url: str
    last_modified: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """The pages and further listings that a file names, each once, in its order.

    Attributes:
        kind: "sitemap", "sitemap_index", "feed", "llms_text", "text", or "xml" for any other
            XML; "" where nothing could be read.
        pages: what it names to be read.
        listings: canonical URLs of further sitemaps.
        cut: entries behind the first `max_urls`.
        unusable: entries that make no canonical URL.
        problem: why reading ended early: over the bound, entities declared in it, no well-formed XML. What
            came before counts.
    """

    kind: str = ""
    pages: tuple[ListedUrl, ...] = ()
    listings: tuple[str, ...] = ()
    cut: int = 0
    unusable: int = 0
    problem: Problem = ""
