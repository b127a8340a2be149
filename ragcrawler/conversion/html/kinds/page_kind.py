"""The kinds of pages, and a verdict on one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

PageKind = Literal["article", "documentation", "forum", "product", "collection", "listing", "service"]
SURE = 0.5
"""A kind counts from this probability: it is then likelier than all others together."""
KINDS: tuple[PageKind, ...] = get_args(PageKind)


@dataclass(frozen=True, slots=True)
class KindVerdict:
    """How likely a page is of each kind.

    Attributes:
        probabilities: 0 to 1 for each kind; they add up to 1.
    """

    probabilities: Mapping[PageKind, float]

    def of(self, *kinds: PageKind) -> float:
        """The probability that the page is of one of some kinds."""
        return sum(self.probabilities[kind] for kind in kinds)

    @property
    def likeliest(self) -> PageKind:
        """The kind with the highest probability."""
        return max(KINDS, key=self.probabilities.__getitem__)

    @property
    def sure(self) -> PageKind | Literal[""]:
        """The likeliest kind, "" where it is not likely enough."""
        kind = self.likeliest
        return kind if self.of(kind) >= SURE else ""
