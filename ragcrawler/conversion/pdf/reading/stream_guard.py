"""How much the streams of a PDF unpack to, measured in passing: a small file can hold gigabytes."""

import re
import zlib
from collections.abc import Iterator

from ragcrawler.conversion.errors import ConversionError

_STREAM = re.compile(rb"stream\r?\n")
_FLATE = re.compile(rb"/(?:FlateDecode|Fl)\b")
_LONGEST_HEAD = 1_000  # bytes before `stream` in which its dictionary stands
_PIECE = 64 * 1024
_MOST_LAYERS = 4


def check_streams(body: bytes, url: str, max_decompressed_bytes: int) -> None:
    """Refuse a PDF whose deflated streams, pictures aside, unpack to more than the limit.

    Pictures are unpacked one by one and only where they fit, so they do not count here.

    Raises:
        ConversionError: `too_large`.
    """
    left = max_decompressed_bytes
    for found in _STREAM.finditer(body):
        head = body[max(found.start() - _LONGEST_HEAD, 0) : found.start()].rpartition(b" obj")[2]
        layers = len(_FLATE.findall(head))
        if not layers or b"/Image" in head:
            continue
        if layers > _MOST_LAYERS:
            raise ConversionError("too_large", f"a stream is deflated {layers} times over", url=url)
        for piece in _unpack(_pieces(body, found.end()), layers):
            left -= len(piece)
            if left < 0:
                message = f"the streams unpack to over max_decompressed_bytes = {max_decompressed_bytes}"
                raise ConversionError("too_large", message, url=url)


def _pieces(body: bytes, start: int) -> Iterator[bytes]:
    for position in range(start, len(body), _PIECE):
        yield body[position : position + _PIECE]


def _unpack(pieces: Iterator[bytes], layers: int) -> Iterator[bytes]:
    """Inflate a stream piece by piece; what is damaged ends it, as it does in a reader."""
    inflater = zlib.decompressobj()
    source = pieces if layers == 1 else _unpack(pieces, layers - 1)
    for packed in source:
        waiting = packed
        while waiting and not inflater.eof:
            try:
                yield inflater.decompress(waiting, _PIECE)
            except zlib.error:
                return
            waiting = inflater.unconsumed_tail
        if inflater.eof:
            return
