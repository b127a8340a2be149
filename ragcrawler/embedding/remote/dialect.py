"""The `Dialect` Protocol: the differences between the interfaces of services."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Purpose = Literal["document", "query"]


@dataclass(frozen=True, slots=True)
class EmbeddingAnswer:
    """The unchecked answer of a service.

    Attributes:
        rows: one a text, in the order of the texts.
        tokens: that it counted; None where it does not say.
    """

    rows: Sequence[Any]
    tokens: int | None


class Dialect(Protocol):
    """One interface; reading an answer raises KeyError, TypeError or ValueError where it is none.

    Attributes:
        name: of the provider, as `EMBEDDING_PROVIDER` gives it.
        url: the provider's own address.
        path: of the call, behind the address.
    """

    name: str
    url: str
    path: str

    def request(self, model: str, texts: Sequence[str], purpose: Purpose) -> dict[str, object]:
        """The body of a request."""

    def read(self, answer: Any) -> EmbeddingAnswer:
        """Parse the body of an answer."""


def count_or_none(value: object) -> int | None:
    """A number of tokens, if it is one."""
    return value if isinstance(value, int) and value >= 0 else None
