"""Read a listing of any kind, compressed or not."""

import re
import zlib
from urllib.parse import urlsplit

from ragcrawler.urls.listings.entries import Entries
from ragcrawler.urls.listings.listing import Listing, ListingLimits
from ragcrawler.urls.listings.xml_listing import read_xml

_GZIP = b"\x1f\x8b"
_GZIP_WINDOW = 31
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_LLMS_TEXT = ("llms.txt", "llms-full.txt")


def inflate(body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    """A body without its gzip compression, and whether it was cut at `max_bytes`.

    What cannot be decompressed further is cut there too: a broken end does not cost the beginning.
    """
    if not body.startswith(_GZIP):
        return body[:max_bytes], len(body) > max_bytes
    stream = zlib.decompressobj(_GZIP_WINDOW)
    try:
        data = stream.decompress(body, max_bytes + 1)
    except zlib.error:
        return b"", True
    return data[:max_bytes], len(data) > max_bytes


def is_listing_url(url: str) -> bool:
    """Whether a canonical URL names a listing by its file name: `llms.txt`, `llms-full.txt`, `robots.txt`."""
    return urlsplit(url).path.rpartition("/")[2].lower() in {*_LLMS_TEXT, "robots.txt"}


def read_listing(body: bytes, url: str, *, limits: ListingLimits | None = None) -> Listing:
    """The pages that a sitemap, sitemap index, feed, llms.txt or list of URLs names.

    Args:
        body: as it came; gzip is seen by its first bytes, whatever the file is called.
        url: of the file, canonical.
        limits: None for those of the sitemap protocol.

    Raises:
        UrlError: `url` is no http(s) URL.
    """
    limits = limits or ListingLimits()
    data, is_cut = inflate(body, limits.max_bytes)
    entries = Entries(url, limits.max_urls)
    if _is_xml(data):
        problem = read_xml(data, entries)
    else:
        is_llms_text = urlsplit(url).path.rpartition("/")[2].lower() in _LLMS_TEXT
        read_text(data.decode("utf-8-sig", "replace"), entries, is_llms_text=is_llms_text)
        problem = ""
    return entries.result("too_large" if is_cut else problem)


def _is_xml(data: bytes) -> bool:
    start = data[:4096]
    for mark in _BYTE_ORDER_MARKS:
        start = start.removeprefix(mark)
    return start.replace(b"\0", b"").lstrip().startswith(b"<")


_MARKDOWN_LINK = re.compile(r"\]\(\s*+<?([^\s()<>]++)")
_URL_LINE = re.compile(r"https?://\S++\Z", re.IGNORECASE)


def read_text(text: str, entries: Entries, *, is_llms_text: bool) -> None:
    """Gather the URLs of a text."""
    entries.kind = "llms_text" if is_llms_text else "text"
    for line in text.splitlines():
        if is_llms_text:
            for match in _MARKDOWN_LINK.finditer(line):
                if not match.group(1).startswith("#"):
                    entries.page(match.group(1))
        elif _URL_LINE.match(line.strip()):
            entries.page(line)
