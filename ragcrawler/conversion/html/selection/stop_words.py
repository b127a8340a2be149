"""The stop words of all languages, which the extractor looks up for each page that has little text."""

from justext import core
from trafilatura import external


class _HashedByIdentity(tuple[str, ...]):
    """The extractor caches the set of these 154,000 words by their tuple, which is hashed anew each time."""

    __slots__ = ()
    __hash__ = object.__hash__
    __eq__ = object.__eq__


def hash_stop_words_once() -> None:
    """Spare each such page 4 ms; before the extractor has read the words there is nothing to do."""
    words: tuple[str, ...] | None = vars(external)["JT_STOPLIST"]
    if words and not isinstance(words, _HashedByIdentity):
        vars(external)["JT_STOPLIST"] = hashed = _HashedByIdentity(words)
        core.define_stoplist.cache_clear()
        core.define_stoplist(hashed)
