"""A first set of queries, drafted from a collection's own headings.

A heading is no question that anybody asked, and it stands in the text that is embedded: such a set flatters
every mode. Its lines say so. It tells settings apart, roughly, until there are real questions.
"""

import random
import re
from collections.abc import Iterable, Iterator

from ragcrawler.items import SemanticChunk

_SEED = 0
_WORD = re.compile(r"[^\W_]{2,}")
_FEWEST_WORDS = 2


def drafted_queries(chunks: Iterable[SemanticChunk], most: int) -> Iterator[dict[str, object]]:
    """At most `most` queries, as lines of a query file: headings that stand at one place of the collection.

    Headings of a single word and chunks without a heading of their own give none. Which are taken is random,
    the same for the same collection.
    """
    spelled: dict[str, str] = {}
    places: dict[str, set[str]] = {}
    for chunk in chunks:
        heading = " ".join(chunk.parent_section.split())
        if "#" in chunk.chunk_link and len(_WORD.findall(heading)) >= _FEWEST_WORDS:
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
