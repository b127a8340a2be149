"""A fingerprint of everything that the chunks of a page depend on besides the page."""

import hashlib
from functools import cache
from importlib.metadata import version

from ragcrawler import __version__
from ragcrawler.bootstrap.chunk_counter import tokenizer_fingerprint
from ragcrawler.bootstrap.preparation import Preparation
from ragcrawler.chunking.output.identity import CHUNKER_VERSION
from ragcrawler.conversion.convert import CONVERTER_VERSION

# Another release of one of these may read the same page otherwise.
_READERS = (
    "docling-slim",
    "htmldate",
    "lxml",
    "markdown-it-py",
    "pypdfium2",
    "tokenizers",
    "trafilatura",
)


def preparation_fingerprint(preparation: Preparation, summaries: str = "") -> str:
    """SHA-256, hexadecimal: with another one a page is converted and cut anew, even where it did not change.

    What then comes out the same is neither embedded nor written.

    Args:
        preparation: the call of the workers.
        summaries: what summaries follow from; "" where there are none.
    """
    parts = [
        __version__,
        CONVERTER_VERSION,
        CHUNKER_VERSION,
        *_reader_versions(),
        repr(preparation.limits),
        repr(preparation.chunking),
        str(preparation.limit_tokens),
        str(preparation.near_words),
        hashlib.sha256(preparation.tokenizer.read_bytes()).hexdigest(),
        *([tokenizer_fingerprint(preparation.counter)] if preparation.counter else []),
        *([summaries] if summaries else []),
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def _reader_versions() -> tuple[str, ...]:
    return tuple(f"{name} {version(name)}" for name in _READERS)
