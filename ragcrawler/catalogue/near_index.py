"""An index of documents that finds near-duplicates."""

from collections.abc import Iterable

from ragcrawler.catalogue.near_hash import FACTS_DIGITS, PERMUTATIONS

# Texts that agree in all that names things and differ in prose are few, unless a site makes them up.
_MAX_COMPARED = 200
_CHANCE = 1 / 256


class NearIndex:
    """Finds the document that a text nearly repeats.

    Args:
        similarity: of the word sequences (Jaccard), from which two texts are near-duplicates; 0 for never.
    """

    def __init__(self, similarity: float) -> None:
        self._similarity = similarity
        self._hash_of: dict[str, str] = {}
        self._documents: dict[str, list[str]] = {}

    def put(self, document_id: str, near_hash: str) -> None:
        """Enter a document, in place of what it said before; one without a fingerprint is like no other."""
        before = self._hash_of.pop(document_id, "")
        if before:
            self._documents[before[:FACTS_DIGITS]].remove(document_id)
        if near_hash:
            self._hash_of[document_id] = near_hash
            self._documents.setdefault(near_hash[:FACTS_DIGITS], []).append(document_id)

    def find(self, document_id: str, near_hash: str) -> list[str]:
        """The ids of other documents that this text nearly repeats, most similar first."""
        if not near_hash or not self._similarity:
            return []
        candidates = self._documents.get(near_hash[:FACTS_DIGITS], [])[:_MAX_COMPARED]
        others = [(other, self._hash_of[other]) for other in candidates if other != document_id]
        return most_similar(near_hash, others, self._similarity)


def most_similar(near_hash: str, others: Iterable[tuple[str, str]], similarity: float) -> list[str]:
    """The ids of those that are at least so similar, most similar first.

    Args:
        near_hash: of a text.
        others: id and fingerprint of each; their first parts are the same.
        similarity: of the word sequences.
    """
    found = [(-estimated_similarity(near_hash, other), document_id) for document_id, other in others]
    return [document_id for distance, document_id in sorted(found) if -distance >= similarity]


def estimated_similarity(one: str, other: str) -> float:
    """The share of word sequences that two texts have in common, estimated from their fingerprints.

    Each hash is kept in one byte, so that unequal ones agree by chance once in 256 times (b-bit MinHash, Li
    and König 2010).
    """
    hashes, others = bytes.fromhex(one[FACTS_DIGITS:]), bytes.fromhex(other[FACTS_DIGITS:])
    agreeing = sum(value == another for value, another in zip(hashes, others, strict=True)) / PERMUTATIONS
    return max(0.0, (agreeing - _CHANCE) / (1 - _CHANCE))
