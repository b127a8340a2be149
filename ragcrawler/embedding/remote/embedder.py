"""Dense embeddings by a service."""

import asyncio
import concurrent.futures
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.embedding.inference.model_input import model_input
from ragcrawler.embedding.inference.sorted_batches import embed_sorted
from ragcrawler.embedding.protocol import DenseVector, ModelDescription, ModelUnavailableError
from ragcrawler.embedding.remote.budget import RequestBudget
from ragcrawler.embedding.remote.client import RemoteClient
from ragcrawler.embedding.remote.config import RemoteConfig
from ragcrawler.embedding.remote.dialect import Dialect, EmbeddingAnswer, Purpose
from ragcrawler.embedding.remote.errors import TextRefusedError
from ragcrawler.services import LoopThread

_logger = logging.getLogger(__name__)


def vectors_of(rows: Sequence[Any], texts: int, dimensions: int) -> list[DenseVector]:
    """One vector a text, in 32 bits as stores keep them.

    Args:
        rows: as the service gave them.
        texts: how many it was asked for.
        dimensions: of each; 0 where they are still to be learned.

    Raises:
        ModelUnavailableError: there are too few or too many, or they are no rows of numbers.
        TextRefusedError: a number is not finite: that may be one text's doing.
    """
    if len(rows) != texts:
        raise ModelUnavailableError(f"the service gave {len(rows)} vectors for {texts} texts")
    return [_vector(row, dimensions) for row in rows]


def _vector(row: Any, dimensions: int) -> DenseVector:
    import numpy as np

    if not isinstance(row, list) or not row or not all(type(value) in (int, float) for value in row):
        raise ModelUnavailableError("the service gave something that is no list of numbers for a vector")
    if dimensions and len(row) != dimensions:
        raise ModelUnavailableError(
            f"the service gave a vector of {len(row)} numbers, this model's have {dimensions}: it runs"
            " another model now"
        )
    with np.errstate(over="ignore"):
        vector = np.array(row, np.float64).astype(np.float32)
    if not np.isfinite(vector).all():
        raise TextRefusedError("the service gave a number that is not finite for this text")
    numbers: list[float] = vector.tolist()
    return numbers


class RemoteEmbedder:
    """A dense model that runs elsewhere.

    Args:
        description: of the model; `learn_dimensions` completes it.
        model: its name at the service.
        dialect: the service's interface.
        config: how it is reached.
    """

    def __init__(
        self, description: ModelDescription, model: str, dialect: Dialect, config: RemoteConfig
    ) -> None:
        self._description = description
        self._model = model
        self._dialect = dialect
        self._config = config
        self._budget = RequestBudget(config.most_requests, config.most_tokens)
        self._loop = LoopThread("remote-embedding")
        self._client: RemoteClient | None = None

    @property
    def description(self) -> ModelDescription:
        return self._description

    @property
    def limits(self) -> BatchLimits:
        """The limits of one request, and the number of parallel requests."""
        return BatchLimits(
            texts=self._config.request_texts,
            tokens=self._config.request_tokens,
            runs=self._config.requests_at_once,
            limit_tokens=self._description.limit_tokens,
            resource="remote",
        )

    def embed_batch(self, texts: Sequence[str]) -> list[DenseVector]:
        """One vector a text, in their order, by one request.

        Raises:
            EmbeddingError: the service does not take one of the texts, or does not answer as it should.
        """
        return self._ask(texts, "document", self._description.dimensions)

    def embed_documents(self, texts: Sequence[str]) -> list[DenseVector]:
        """One vector a text, in the order of the texts."""
        return embed_sorted(self.embed_batch, texts, self.limits)

    def embed_query(self, text: str) -> DenseVector:
        return self._ask([text], "query", self._description.dimensions)[0]

    def learn_dimensions(self) -> None:
        """Embed a word to learn the length of this model's vectors; all later ones must have it.

        Raises:
            EmbeddingError: the service does not answer as it should.
        """
        vector = self._ask(["dimensions"], "document", 0)[0]
        self._description = replace(self._description, dimensions=len(vector))

    def close(self) -> None:
        """Give up the requests that run, and the connections."""
        if self._loop.close(self._close_client()):
            spent = self._budget
            name = self._description.name
            _logger.info("%s took %d requests, about %d tokens", name, spent.requests, spent.tokens)

    def _ask(self, texts: Sequence[str], purpose: Purpose, dimensions: int) -> list[DenseVector]:
        inputs = [model_input(text, self._description.limit_tokens) for text in texts]
        try:
            return self._loop.run(self._send(inputs, purpose, dimensions))
        except concurrent.futures.CancelledError as error:
            raise ModelUnavailableError(f"{self._description.name} was closed meanwhile") from error

    async def _send(self, texts: list[str], purpose: Purpose, dimensions: int) -> list[DenseVector]:
        tokens = sum(map(self.limits.cost, texts))
        client = self._open()
        content = await client.post(self._dialect.request(self._model, texts, purpose), tokens)
        answer = self._read(content)
        self._budget.correct(tokens, answer.tokens)
        return await asyncio.to_thread(vectors_of, answer.rows, len(texts), dimensions)

    def _open(self) -> RemoteClient:
        """The client; made in the loop to which it belongs."""
        if self._client is None:
            url = (self._config.url or self._dialect.url).rstrip("/") + self._dialect.path
            self._client = RemoteClient(url, self._config, self._budget)
        return self._client

    def _read(self, content: Any) -> EmbeddingAnswer:
        try:
            return self._dialect.read(content)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise ModelUnavailableError(
                f"{self._description.name}: the answer is none of {self._dialect.name}'s interface"
                f" ({type(error).__name__}: {error}): see EMBEDDING_PROVIDER and EMBEDDING_URL"
            ) from error

    async def _close_client(self) -> None:
        if self._client is not None:
            await self._client.close()
