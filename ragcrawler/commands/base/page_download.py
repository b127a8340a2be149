"""Downloads one page for a command, without a crawl, as guarded and bounded as a crawl would."""

from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage, HTTPResponse
from urllib.error import URLError
from urllib.parse import urljoin
from urllib.request import Request, getproxies

from ragcrawler.commands.base.guarded_connection import Deadline, guarded_opener
from ragcrawler.urls.address_guard import AddressGuard
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError

_PIECE_BYTES = 2**16
_REDIRECTS = {301, 302, 303, 307, 308}
_FIRST_REFUSAL = 300
_REASON_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class DownloadBounds:
    """The limits of one download.

    Attributes:
        max_bytes: of the body; one more is read, to see that there is more.
        timeout_seconds: of the whole, from the first look-up to the last byte, redirects included.
        max_header_bytes: of one response.
        max_redirects: in a row.
    """

    max_bytes: int
    timeout_seconds: float = 30.0
    max_header_bytes: int = 128 * 1024
    max_redirects: int = 10


@dataclass(frozen=True, slots=True)
class Downloaded:
    """Body, media type as the server gives it ("" where it gives none), and the address that answered."""

    body: bytes
    content_type: str
    url: str


def download(url: str, *, bounds: DownloadBounds, user_agent: str) -> Downloaded:
    """Fetch a page over http or https; redirects are followed, certificates verified.

    The host that is named may be private; a redirect may lead to public addresses, and back to that host and
    port. Proxies of the environment are used, and resolve the names then. The body of a redirect or of an
    error is not read.

    Args:
        url: as somebody typed it.
        bounds: what it may cost.
        user_agent: the header.

    Raises:
        ValueError: the URL is none, or it or a redirect is refused.
        OSError: the download failed, the server's status included.
    """
    wanted = canonical_url(url)
    with Deadline(bounds.timeout_seconds) as deadline:
        opener = guarded_opener(AddressGuard([wanted], _proxies()), deadline)
        for _ in range(bounds.max_redirects + 1):
            request = Request(wanted, headers={"User-Agent": user_agent})  # noqa: S310 - http and https alone are opened
            try:
                with opener.open(request, timeout=deadline.remaining_seconds) as response:
                    target = _redirect(response, wanted, bounds)
                    body = b"" if target else b"".join(_pieces(response, bounds.max_bytes + 1))
                    deadline.check()  # what was ended by it may look whole
                    if not target:
                        return Downloaded(body, response.headers.get("Content-Type", ""), wanted)
                    wanted = target
            except (HTTPException, OSError) as error:
                raise _said(error, deadline) from error
    raise OSError(f"over {bounds.max_redirects} redirects in a row: name the address behind them")


def _said(error: Exception, deadline: Deadline) -> OSError:
    """The error in words: a connection that was ended at the deadline looks as if the server hung up."""
    if deadline.remaining_seconds <= 0:
        return TimeoutError(f"the page was not there after {deadline.seconds:g} seconds")
    if isinstance(error, HTTPException):
        return OSError(f"the server's answer is no HTTP: {error!r}")
    if isinstance(error, URLError) and isinstance(error.reason, OSError):
        return OSError(f"<urlopen error {error.reason}>")
    return error if isinstance(error, OSError) else OSError(str(error))


def _redirect(response: HTTPResponse, url: str, bounds: DownloadBounds) -> str:
    """Where the response leads; "" for a page.

    Raises:
        OSError: it is neither, or its headers are too long.
    """
    if _size(response.headers) > bounds.max_header_bytes:
        raise OSError(f"the headers are over {bounds.max_header_bytes} bytes")
    location = response.headers.get("Location", "")
    if response.status in _REDIRECTS and location:
        try:
            return canonical_url(urljoin(url, location))
        except (UrlError, ValueError) as error:
            raise OSError(f"a redirect leads to no http or https address: {error}") from error
    if response.status >= _FIRST_REFUSAL:
        from ragcrawler.retrieval.formatting.printable import printable

        reason = printable(response.reason)[:_REASON_CHARACTERS]
        raise OSError(f"the server answers {response.status} {reason}".rstrip())
    return ""


def _size(headers: HTTPMessage) -> int:
    return sum(len(name) + len(value) for name, value in headers.items())


def _pieces(response: HTTPResponse, max_bytes: int) -> Iterator[bytes]:
    missing = max_bytes
    while missing and (piece := response.read1(min(missing, _PIECE_BYTES))):
        missing -= len(piece)
        yield piece
    if missing and response.length:
        raise ConnectionError(f"the server hung up {response.length} bytes before the end")


def _proxies() -> list[str]:
    """Those of the environment, without scheme and credentials: only the place matters."""
    found = {name: proxy for name, proxy in getproxies().items() if name in ("http", "https")}
    return [f"http://{proxy.rpartition('://')[2].rpartition('@')[2]}" for proxy in found.values()]
