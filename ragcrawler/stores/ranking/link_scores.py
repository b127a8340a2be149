"""Score the documents of candidate chunks by the labels of the links that lead to them."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import urljoin

from ragcrawler.items import SemanticChunk, SparseVector
from ragcrawler.stores.ranking.document_scores import document_scores
from ragcrawler.stores.ranking.word_weights import document_weights

# No picture, and no label with one in it: neither says what the other page is about.
_LINK = re.compile(r"(?<![!\\])\[((?:[^\[\]\\]|\\.){1,300})\]\((<[^<>\n]*>|[^\s()<>]+)")


class _Linked(NamedTuple):
    """The labels of a document's in-links, in the place of a chunk."""

    id: str
    document_id: str
    position: int = 0


def link_words(chunks: Collection[SemanticChunk]) -> dict[str, SparseVector]:
    """By document id, the BM25 weights of the labels of links to it, as one text.

    Only links in these chunks are read, and only those to documents of these chunks; links within a document
    do not count, nor does a label that a document repeats.
    """
    documents = {url: each.document_id for each in chunks for url in (each.source_url, *each.aliases)}
    labels: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
    for chunk in chunks:
        for url, label in _links(chunk):
            target = documents.get(url)
            if target is not None and target != chunk.document_id:
                labels[target][chunk.document_id, label] = None
    return {
        target: document_weights("\n".join(label for _, label in found)) for target, found in labels.items()
    }


def link_scores(words: Mapping[str, SparseVector], asked: SparseVector) -> dict[str, float]:
    """By document id, how much of the question the labels of links to it hold, above 0 to 1.

    They are scored as `document_scores` does.

    Args:
        words: of the labels, see `link_words`.
        asked: the question's words.
    """
    scores = document_scores([_Linked(each, each) for each in words], words, asked)
    return {target: score for target, score in scores.items() if score > 0}


def _links(chunk: SemanticChunk) -> Iterator[tuple[str, str]]:
    """Addresses without fragments, and labels."""
    for label, address in _LINK.findall(chunk.content):
        page = address.strip("<>").partition("#")[0]
        if page:
            yield page if "://" in page else _joined(chunk.source_url, page), label


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:  # not an address
        return ""
