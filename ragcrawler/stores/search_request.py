"""The request of a search."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ragcrawler.items import SparseVector
from ragcrawler.stores.filters import Condition
from ragcrawler.stores.ranking.fusion import RRF_K

Leg = Literal["dense", "sparse", "bm25"]
Fusion = Literal["rrf", "dbsf"]

_NO_WORDS = SparseVector((), ())
_LEAST_DEPTH = 50
_DEPTH_PER_HIT = 4


@dataclass(frozen=True, slots=True)
class Ranking:
    """One ranking of the collection, by the nearness of one of its vectors to the question's.

    Attributes:
        leg: which vector: "dense", "sparse", or "bm25" for the words.
        vector: the question's; numbers for "dense", a `SparseVector` for the others.
        weight: how much it counts in a fusion.
    """

    leg: Leg
    vector: Sequence[float] | SparseVector
    weight: float = 1.0

    @property
    def is_empty(self) -> bool:
        """Whether it is by nothing at all, which finds nothing."""
        return isinstance(self.vector, SparseVector) and not len(self.vector.indices)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search: what is asked, how rankings become one, and which part of the answer is wanted.

    Attributes:
        rankings: at least one; several are fused.
        limit: how many hits at most.
        words: the question's, for `document_weight` and `link_weight`.
        document_weight: how much it counts in a fusion that a chunk's document has more of the question's
            words, see `document_scores`; 0: not at all.
        link_weight: how much it counts in a fusion what labels of links to a chunk's document, in proposed
            chunks, hold of the question's words, see `link_scores`; 0: not at all.
        tokens: the question's token vectors, for `token_weight`.
        token_weight: how much it counts in a fusion how near a proposed chunk's token vectors come to those
            of the question (the sum of each one's nearest, ColBERT's MaxSim); 0: not at all.
        listing_weight: how much less an index, contents, bare links or a changelog counts in a fusion; 0: as
            content does.
        page_weight: how much less a chunk counts in a fusion for each better one of its document; 0: not.
        offset: how many of the best are left out before them.
        filters: conditions that all must hold.
        fusion: "rrf" by ranks, or "dbsf" by scores; see `fusion`.
        k_rrf: the constant of "rrf".
        depth: how many chunks each ranking proposes for the fusion; 0: 50, or four times what is wanted.
        per_document: how many hits of one document at most; 0: any number.
        diversity: 0 to 1: how much a hit's likeness to better ones counts against it (maximal marginal
            relevance over the dense vectors, for which there has to be a dense ranking); 0: not at all.
        score_threshold: hits with a lower score are left out.
    """

    rankings: tuple[Ranking, ...]
    limit: int
    words: SparseVector = _NO_WORDS
    document_weight: float = 0.0
    link_weight: float = 0.0
    tokens: tuple[bytes, ...] = ()
    token_weight: float = 0.0
    listing_weight: float = 0.0
    page_weight: float = 0.0
    offset: int = 0
    filters: tuple[Condition, ...] = ()
    fusion: Fusion = "rrf"
    k_rrf: int = RRF_K
    depth: int = 0
    per_document: int = 0
    diversity: float = 0.0
    score_threshold: float | None = None

    @property
    def asks_documents(self) -> bool:
        """Whether the words of whole documents count."""
        return bool(self.document_weight and len(self.words.indices))

    @property
    def asks_links(self) -> bool:
        """Whether the labels of links to documents count."""
        return bool(self.link_weight and len(self.words.indices))

    @property
    def asks_tokens(self) -> bool:
        """Whether token vectors count."""
        return bool(self.token_weight and self.tokens)

    @property
    def has_discounts(self) -> bool:
        """Whether a chunk's score depends on more than the rankings."""
        return bool(self.listing_weight or self.page_weight)

    @property
    def wanted(self) -> int:
        """How many hits have to be ranked."""
        return self.offset + self.limit

    def proposed(self, wanted: int) -> int:
        """How many chunks each ranking proposes where so many hits are wanted."""
        return self.depth or max(_LEAST_DEPTH, _DEPTH_PER_HIT * wanted)

    @property
    def dense(self) -> Sequence[float]:
        """The dense ranking's vector, empty where there is no such ranking."""
        dense = (ranking.vector for ranking in self.rankings if not isinstance(ranking.vector, SparseVector))
        return next(dense, ())
