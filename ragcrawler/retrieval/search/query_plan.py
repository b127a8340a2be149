"""A query, read once: what a search asks of its words."""

import logging
import re
from dataclasses import dataclass
from typing import Self

from ragcrawler.items import SparseVector
from ragcrawler.stores.ranking.word_weights import query_weights

_logger = logging.getLogger(__name__)

# Models read some hundred words; what comes behind costs time and finds nothing.
_LONGEST_QUERY = 10_000
_VERSION = re.compile(r"(?<![\w.])v?\d+\.\d+(?:\.\w+)*(?!\w)")

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_LEAST_WORDS = 3
_FIRST_WORDS = """
who whom whose what which when where why how
am is are was were do does did has have had can could should would will shall may might must
isn't aren't wasn't weren't don't doesn't didn't hasn't haven't can't couldn't shouldn't wouldn't won't
"""
_FIRST = frozenset(_FIRST_WORDS.split())
_SPEAKERS = frozenset(["i", "i'm", "i've", "i'd", "we", "my", "our"])


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What every part of a search needs of the query.

    Attributes:
        text: the query, up to 10,000 characters.
        words: as BM25 weighs them.
        is_question: somebody asks in words of their own.
        names_version: it names a release, "1.2" or "v3.0.1" say: then changelogs are what it is about.
    """

    text: str
    words: SparseVector
    is_question: bool
    names_version: bool

    @classmethod
    def of(cls, query: str) -> Self:
        """Read a query."""
        if len(query) > _LONGEST_QUERY:
            _logger.warning("The query has %d characters; the first %d count.", len(query), _LONGEST_QUERY)
        text = query[:_LONGEST_QUERY]
        return cls(text, query_weights(text), _is_question(text), bool(_VERSION.search(text)))


def _is_question(query: str) -> bool:
    """Whether somebody asks in words of their own: by the mark, the first word, or an "I" or "we".

    Other sentences are not told from descriptions ("Show the working tree status"), which words find better.
    """
    words = [word.casefold().replace("\u2019", "'") for word in _WORD.findall(query)]
    if len(words) < _LEAST_WORDS:
        return False
    return query.rstrip().endswith("?") or words[0] in _FIRST or not _SPEAKERS.isdisjoint(words)
