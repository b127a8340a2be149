"""A first set of queries, drafted from a collection's own headings.

A heading is no question that anybody asked, and it stands in the text that is embedded: such a set flatters
every mode. Its lines say so. It tells settings apart, roughly, until there are real questions.
"""

import random
import re
from collections.abc import Iterable, Iterator

from ragcrawler.items import SemanticChunk

_SEED = 0
_WORD = re.compile(r"[^\W\d_]{2,}")
_FEWEST_WORDS = 2
# "10.2. ", "A.3 ", "7) ", "Chapter 7: " before the heading itself; the number of "3 ways" is part of it.
_SECTION_NUMBER = re.compile(
    r"(?:(?:chapter|section|part|appendix)\s+[A-Z\d][\d.]*[.:)]?|(?:\d+|[A-Z])(?:\.\d+)+[.:)]?|(?:\d+|[A-Z])[.:)])\s+",
    re.IGNORECASE,
)
# Of headings in release notes: no question asks for a version by its number alone.
_RELEASE_WORDS = {"version", "versions", "release", "releases", "released", "changelog", "changes", "notes"}
_FILLERS = {"new", "what", "alpha", "beta", "in", "of", "the", "for", "and", "to", "since", "from"}
_VERSION = re.compile(r"\bv?\d+(?:\.\d+)+\w*")


def drafted_queries(chunks: Iterable[SemanticChunk], most: int) -> Iterator[dict[str, object]]:
    """At most `most` queries, as lines of a query file: headings that stand at one place of the collection.

    Headings of a single word, of a version alone, and chunks without a heading of their own give none; the
    number of a section is left out. Which are taken is random, the same for the same collection.
    """
    spelled: dict[str, str] = {}
    places: dict[str, set[str]] = {}
    for chunk in chunks:
        heading = _question(chunk.parent_section)
        if "#" in chunk.chunk_link and heading:
            folded = heading.casefold()
            spelled[folded] = min(heading, spelled.get(folded, heading))
            places.setdefault(folded, set()).add(chunk.chunk_link)
    single = sorted(folded for folded, links in places.items() if len(links) == 1)
    taken = random.Random(_SEED).sample(single, min(most, len(single)))  # noqa: S311 - nothing secret
    for number, folded in enumerate(sorted(taken), start=1):
        yield {
            "id": f"drafted-{number}",
            "query": spelled[folded],
            "gold": sorted(places[folded]),
            "drafted": True,
        }


def _question(heading: str) -> str:
    """A question made from a heading, "" where the heading is too short."""
    text = " ".join(heading.split())
    if number := _SECTION_NUMBER.match(text):
        text = text[number.end() :]
    words = [word.casefold() for word in _WORD.findall(_VERSION.sub(" ", text))]
    is_release = bool(_VERSION.search(text)) and not set(words) - _RELEASE_WORDS - _FILLERS
    return "" if is_release or len(words) < _FEWEST_WORDS else text
