"""Bytes to text: byte order mark, what the bytes prove, what header and document declare, detection."""

import re
from itertools import chain

from w3lib.encoding import html_body_declared_encoding, read_bom, resolve_encoding

_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.ASCII | re.IGNORECASE)
_DETECTION_BYTES = 64 * 1024
_STRAY_BYTES_PER_CHARACTER = 1 / 200
"""Up to this share of undecodable bytes a text still counts as UTF-8 with damage."""


def charset_of(content_type: str) -> str:
    """The charset parameter of a `Content-Type` header, "" where there is none."""
    found = _CHARSET.search(content_type)
    return found.group(1) if found else ""


def decode(body: bytes, charset: str) -> str:
    """Decode a text document; what cannot be decoded becomes U+FFFD, NUL characters go.

    A body that is valid UTF-8 beyond ASCII is UTF-8, whatever is declared: the chance that another encoding
    yields such bytes is negligible, and servers that declare a wrong one are common.

    Args:
        body: the bytes.
        charset: the charset that the header declares, "" where it declares none.
    """
    marked, mark = read_bom(body)
    text = body.decode(marked, "replace") if marked and mark else _decode_unmarked(body, charset)
    return text.removeprefix("\ufeff").replace("\0", "")


def _decode_unmarked(body: bytes, charset: str) -> str:
    declared = [resolve_encoding(charset) if charset else None, html_body_declared_encoding(body)]
    first = ["utf-8"] if not body.isascii() and b"\0" not in body else []
    for encoding in chain(first, declared, ["utf-8"]):
        try:
            if encoding:
                return body.decode(encoding)
        except (LookupError, UnicodeError):
            continue
    return _decode_damaged(body)


def _decode_damaged(body: bytes) -> str:
    """Decode bytes that fit no declared encoding: UTF-8 with some stray bytes, else the detected encoding."""
    text = body.decode("utf-8", "replace")
    strays = text.count("\ufffd")
    beyond_ascii = len(body) - len(body.decode("ascii", "ignore"))
    if strays <= min(len(text) * _STRAY_BYTES_PER_CHARACTER, beyond_ascii / 2):
        return text
    from charset_normalizer import from_bytes

    guesses = list(from_bytes(body[:_DETECTION_BYTES]))
    # Of equally good guesses the web's most common one; its neighbours differ in a few letters only.
    usual = [guess for guess in guesses if guess.encoding == "cp1252" and guess.chaos == guesses[0].chaos]
    best = next(iter(usual or guesses), None)
    return body.decode(best.encoding if best else "cp1252", "replace")
