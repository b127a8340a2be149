"""Errors of a service."""

from ragcrawler.embedding.protocol import EmbeddingError, ModelUnavailableError


class TextRefusedError(EmbeddingError):
    """The service refuses what it was sent: too long, too many, or not to its liking."""


class TryAgainError(ModelUnavailableError):
    """The service could not answer just now.

    Args:
        message: what it said.
        seconds: to wait, if the service named a time; else None.
    """

    def __init__(self, message: str, seconds: float | None = None) -> None:
        super().__init__(message)
        self.seconds = seconds


class EmbeddingBudgetError(ModelUnavailableError):
    """The budget of the run is spent."""

    reason = "embedding_budget"
