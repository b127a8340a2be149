"""Calls that a provider answers within a day, for less: OpenAI's batches and Anthropic's."""

from ragcrawler.llm.batches.open import open_batch_service
from ragcrawler.llm.batches.protocol import BatchAnswer, BatchCall, BatchService
from ragcrawler.llm.batches.register import BatchRegister, OpenBatch, Payment, Reservation, call_name

__all__ = [
    "BatchAnswer",
    "BatchCall",
    "BatchRegister",
    "BatchService",
    "OpenBatch",
    "Payment",
    "Reservation",
    "call_name",
    "open_batch_service",
]
