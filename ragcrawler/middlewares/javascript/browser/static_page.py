"""The values that go between crawl and browser."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class StaticPage:
    """The response that the crawl already has, handed to the browser.

    Attributes:
        url: final, after redirects.
        headers: lower-case name to value, without those of the transfer and without cookies.
        body: the undecoded bytes.
    """

    url: str
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ResourceRequest:
    """A request of the page's scripts, to be asked by the crawl's downloader.

    Attributes:
        page_url: the page that asks.
        url: absolute.
        method: in upper case.
        headers: as the browser would send them, without those that the downloader makes itself.
        body: what is sent.
    """

    page_url: str
    url: str
    method: str
    headers: Mapping[str, str]
    body: bytes = field(repr=False, default=b"")


@dataclass(frozen=True, slots=True)
class ResourceResponse:
    """The site's response to a resource request.

    Attributes:
        status: of HTTP.
        headers: as in `StaticPage`.
        body: the undecoded bytes.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Rendering:
    """A page after its scripts have run.

    Attributes:
        html: the document.
        wanted_url: where the page wanted to go instead of staying, "" where it stayed.
    """

    html: str = field(repr=False)
    wanted_url: str = ""
