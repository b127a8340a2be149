"""A fact: a value of a row, and the words of a page that bear it out."""

import hashlib
from dataclasses import dataclass
from typing import Literal

from ragcrawler.research.evidence.values import Value

FactState = Literal["supported", "derived", "unverified", "contradicted"]


@dataclass(frozen=True, slots=True)
class PageQuote:
    """Words of a page.

    Attributes:
        url: of the page.
        page_hash: SHA-256 of its Markdown, hexadecimal: a snapshot with this hash is kept.
        start: offset of the first character in that Markdown.
        end: offset behind the last one.
        text: what stands there.
    """

    url: str
    page_hash: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A value of a row.

    Attributes:
        id: of the fact: the same value at the same place is the same fact.
        row: the normal form of the row's key.
        path: of the field, with dots for those of objects.
        value: as the page gives it.
        normal: the value's normal form; equal values share it.
        quote: the words of the page that the model pointed at.
        state: whether they bear it out. Contradicted ones are borne out, and other facts say otherwise.
        question_id: the question under which the page was read.
        is_suspicious: the page holds words that read like instructions to a model.
    """

    id: str
    row: tuple[str, ...]
    path: str
    value: Value
    normal: str
    quote: PageQuote
    state: FactState
    question_id: str
    is_suspicious: bool = False

    @property
    def is_shown(self) -> bool:
        """Whether a report may use it."""
        return self.state != "unverified"


def fact_id(row: tuple[str, ...], path: str, normal: str, quote: PageQuote) -> str:
    """A short hash of what makes two facts the same."""
    parts = "\0".join((*row, path, normal, quote.page_hash, str(quote.start), str(quote.end)))
    return "f" + hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:12]
