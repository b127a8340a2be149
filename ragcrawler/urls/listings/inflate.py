"""Compressed listings, in bounded memory."""

import zlib

_GZIP = b"\x1f\x8b"
_GZIP_WINDOW = 31


def inflated(body: bytes, max_bytes: int) -> tuple[bytes, bool]:
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
