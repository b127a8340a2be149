"""Tells questions from names, terms and lines of description."""

import re

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_LEAST_WORDS = 3
_FIRST_WORDS = """
who whom whose what which when where why how
am is are was were do does did has have had can could should would will shall may might must
isn't aren't wasn't weren't don't doesn't didn't hasn't haven't can't couldn't shouldn't wouldn't won't
"""
_FIRST = frozenset(_FIRST_WORDS.split())
_SPEAKERS = frozenset(["i", "i'm", "i've", "i'd", "we", "my", "our"])


def is_question(query: str) -> bool:
    """Whether somebody asks in words of their own: by the mark, the first word, or an "I" or "we".

    Other sentences are not told from descriptions ("Show the working tree status"), which words find better.
    """
    words = [word.casefold().replace("\u2019", "'") for word in _WORD.findall(query)]
    if len(words) < _LEAST_WORDS:
        return False
    return query.rstrip().endswith("?") or words[0] in _FIRST or not _SPEAKERS.isdisjoint(words)
