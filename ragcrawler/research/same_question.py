"""Whether two questions ask the same: vectors alone hardly see a number, or one word that differs."""

from collections.abc import Callable
from functools import cache

from ragcrawler.research.evidence.plain_text import words

# English. In another language more words have to agree, and a question is asked once too often.
_SAYS_NOTHING = frozenset(
    words(
        "a an the of in on at to for from by with and or is are was were be been being do does did has have "
        "had which what there that this these those it its their"
    )
)
_ASKS_FOR = {
    "whom": "who",
    "whose": "who",
    "year": "when",
    "date": "when",
    "day": "when",
    "city": "where",
    "place": "where",
    "way": "how",
    "number": "many",
}
_ASKED_HOW_MANY = frozenset({"how", "many"})


def asks_the_same(question: str, other: str) -> bool:
    """Whether two questions are made of the same words, whatever their order, form and question word."""
    asked = _asked(question)
    return bool(asked) and asked == _asked(other)


def _asked(question: str) -> frozenset[str]:
    """What a question asks for: the stems of its words that say something."""
    said = frozenset(_ASKS_FOR.get(word, word) for word in words(question) if word not in _SAYS_NOTHING)
    if said >= _ASKED_HOW_MANY:
        said -= {"how"}
    return frozenset(map(_stemmer(), said))


@cache
def _stemmer() -> Callable[[str], str]:
    from py_rust_stemmers import SnowballStemmer  # type: ignore[attr-defined]  # compiled, without stubs

    stem: Callable[[str], str] = SnowballStemmer("english").stem_word
    return stem
