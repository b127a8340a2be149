"""Cohere's interface; https://docs.cohere.com/reference/embed."""

from collections.abc import Sequence
from typing import Any

from ragcrawler.embedding.remote.dialect import EmbeddingAnswer, Purpose, count_or_none


class CohereDialect:
    """`POST /embed` of version 2; documents and questions are embedded in different ways."""

    name = "cohere"
    url = "https://api.cohere.com/v2"
    path = "/embed"

    def request(self, model: str, texts: Sequence[str], purpose: Purpose) -> dict[str, object]:
        return {
            "model": model,
            "texts": list(texts),
            "input_type": f"search_{purpose}",
            "embedding_types": ["float"],
            "truncate": "END",
        }

    def read(self, answer: Any) -> EmbeddingAnswer:
        """The rows, in the order of the texts."""
        billed = (answer.get("meta") or {}).get("billed_units") or {}
        return EmbeddingAnswer(list(answer["embeddings"]["float"]), count_or_none(billed.get("input_tokens")))
