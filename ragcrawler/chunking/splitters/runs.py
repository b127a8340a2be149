"""Text without white space that is longer than a chunk: addresses, scripts without spaces, encoded data."""

import re
from itertools import chain

from ragcrawler.chunking.parsing.data_addresses import data_spans
from ragcrawler.chunking.splitters.sentences import outside

# Scripts that put no spaces between words: a cut between any two characters is as good as another.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_ENCODED = r"[A-Za-z0-9+/=_-]{256,}"
_BREAKABLE = re.compile(rf"{_ENCODED}|[{_UNSPACED}]{{1,8}}|[^\w{_UNSPACED}]|_|[^\W_{_UNSPACED}]+")


def run_ends(run: str) -> list[int]:
    """Offsets at which a run may be cut without harm to what it says; encoded data has none inside."""
    ends = [match.end() for match in _BREAKABLE.finditer(run)]
    data = data_spans(run)
    return sorted({*outside(ends, data), *chain.from_iterable(data)} - {0}) if data else ends
