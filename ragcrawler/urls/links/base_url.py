"""Resolve relative references on a page."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

_ABSOLUTE = re.compile(r"https?:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Base:
    """A page's address in the parts that references build on.

    `resolve` leaves dot segments to `canonical_url`, which takes them out anyway: the standard library's
    `urljoin` costs as much as all the rest of a link's way.

    Attributes:
        scheme: with its colon.
        origin: scheme, host and port.
        folder: origin and path up to the last "/".
        document: origin and whole path, without a query.
    """

    scheme: str
    origin: str
    folder: str
    document: str

    @classmethod
    def of(cls, url: str) -> "Base":
        """The base that a canonical URL is."""
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        document = origin + parts.path
        return cls(f"{parts.scheme}:", origin, document[: document.rindex("/") + 1], document)

    def resolve(self, reference: str) -> str:
        """An absolute URL for an http(s) reference, dot segments left in (RFC 3986, section 5.2.2)."""
        first = reference[:1]
        if first in ("/", "\\"):
            return (self.scheme if reference[1:2] in ("/", "\\") else self.origin) + reference
        if first == "?":
            return self.document + reference
        return reference if _ABSOLUTE.match(reference) else self.folder + reference
