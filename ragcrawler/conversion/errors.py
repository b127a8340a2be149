"""The error of a conversion; `reason` tells the cases apart."""

from typing import Literal

Reason = Literal[
    "damaged",
    "empty",
    "encrypted",
    "no_text_layer",
    "too_large",
    "too_many_pages",
    "too_deep",
    "too_many_chunks",
    "chunks_too_large",
    "unsupported_type",
    "worker_died",
    "timed_out",
    "out_of_memory",
]


class ConversionError(Exception):
    """A document that could not be turned into Markdown.

    Attributes:
        reason: a short word to count by.
        url: the document.
    """

    def __init__(self, reason: Reason, message: str, *, url: str = "") -> None:
        super().__init__(message)
        self.reason: Reason = reason
        self.url = url

    def __reduce__(self) -> tuple[object, tuple[object, ...], dict[str, object]]:
        """Pickle across the border of a worker process, where keyword arguments would be lost."""
        return type(self), (self.reason, str(self)), {"url": self.url}
