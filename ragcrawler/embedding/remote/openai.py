"""OpenAI's interface, which TEI, Infinity, vLLM and others speak too.

https://platform.openai.com/docs/api-reference/embeddings/create
"""

from collections.abc import Sequence
from typing import Any

from ragcrawler.embedding.remote.dialect import EmbeddingAnswer, Purpose, count_or_none


class OpenAiDialect:
    """`POST /embeddings`."""

    name = "openai"
    url = "https://api.openai.com/v1"
    path = "/embeddings"

    def request(self, model: str, texts: Sequence[str], purpose: Purpose) -> dict[str, object]:  # noqa: ARG002 - questions and documents are asked for alike
        return {"model": model, "input": list(texts), "encoding_format": "float"}

    def read(self, answer: Any) -> EmbeddingAnswer:
        """The rows by their index: their order is not promised."""
        by_index = {entry["index"]: entry["embedding"] for entry in answer["data"]}
        if len(by_index) != len(answer["data"]):
            raise ValueError("two vectors of one index")
        usage = answer.get("usage") or {}
        tokens = count_or_none(usage.get("total_tokens", usage.get("prompt_tokens")))
        return EmbeddingAnswer([by_index[index] for index in range(len(by_index))], tokens)
