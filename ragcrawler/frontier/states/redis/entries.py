"""Records of URLs as the texts that Redis keeps."""

import json
from hashlib import blake2b
from typing import Any

from ragcrawler.frontier.states.protocol import Status, UrlRecord
from ragcrawler.urls.identity import url_key

_KEY_BYTES = 8
CHECK_BYTES = 4
NO_CHECK = bytes(CHECK_BYTES)
"""Of a record whose URL is not known, as in a dump: it passes for that of any URL."""
_NAMED = "n"


def packed_key(key: int) -> bytes:
    """A key in eight bytes."""
    return key.to_bytes(_KEY_BYTES, "big", signed=True)


def unpacked_key(packed: bytes) -> int:
    """The way back."""
    return int.from_bytes(packed, "big", signed=True)


def packed_check(url: str) -> bytes:
    """A second hash of the URL's key: a record of another page with the same key is told by it."""
    if not url:
        return NO_CHECK
    digest = blake2b(bytes_of(url_key(url)), digest_size=CHECK_BYTES, person=b"check")
    return digest.digest()


def is_other_page(check: bytes, known: bytes) -> bool:
    """Whether two of these say that the pages are not the same."""
    return check != known and NO_CHECK not in (check, known)


def text_of(packed: bytes) -> str:
    """Bytes of Redis as text."""
    return packed.decode("utf-8", "surrogatepass")


def bytes_of(text: str) -> bytes:
    """The way back."""
    return text.encode("utf-8", "surrogatepass")


def packed_entry(record: UrlRecord) -> bytes:
    """An entry of a queue: attempts, depth, and the URL; an https URL without scheme and host."""
    url = record.url.removeprefix(f"https://{record.site}") if record.site else record.url
    if not url.startswith("/"):
        url = record.url
    named = _NAMED if record.is_named else ""
    return bytes_of(f"{record.attempts}\n{record.depth}{named}\n{url}")


def leased_record(key: bytes, text: bytes, lease: int = 0) -> UrlRecord:
    """A record from the JSON of a lease."""
    values: dict[str, Any] = json.loads(text_of(text))
    depth, url = values["entry"].split("\n", 1)
    site = values["site"]
    return UrlRecord(
        key=unpacked_key(key),
        url=f"https://{site}{url}" if url.startswith("/") else url,
        site=site,
        depth=int(depth.removesuffix(_NAMED)),
        parent_url=values["parent"],
        priority=int(values["priority"]),
        is_named=depth.endswith(_NAMED),
        attempts=int(values["attempts"]),
        lease=lease,
    )


def unpacked_lease(packed: bytes) -> tuple[int, bytes]:
    """Number and record of a lease: "" of one whose entry is still in a queue; 0 of a record alone."""
    number, is_leased, text = packed.partition(b"\n")
    return (int(number), text) if is_leased else (0, packed)


def packed_outcome(status: Status, reason: str) -> bytes:
    """Status and reason of a decided record."""
    return bytes_of(f"{status} {reason}")


def unpacked_outcome(packed: bytes) -> tuple[Status, str]:
    """The way back."""
    status, _, reason = text_of(packed).partition(" ")
    return status, reason  # type: ignore[return-value]  # written by packed_outcome
