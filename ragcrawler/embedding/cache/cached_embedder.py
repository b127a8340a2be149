"""An embedder that makes no vector twice."""

import hashlib
from collections.abc import Sequence
from typing import Generic, TypeVar

from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.embedding.cache.vector_cache import VectorCache
from ragcrawler.embedding.cache.vector_codec import VectorCodec
from ragcrawler.embedding.protocol import Embedder, ModelDescription

VectorT = TypeVar("VectorT")


class CachedEmbedder(Generic[VectorT]):
    """Asks the cache before the model, and keeps there what the model makes.

    An entry belongs to the text and the model: name, weights, and all else that its description says. The
    collection, the page and its address play no part. Questions are not kept.

    Args:
        embedder: makes what the cache has not.
        cache: of entries of any models.
        codec: of this kind of vector.
        version: tells entries apart that hold more than the model's vector.
    """

    def __init__(
        self, embedder: Embedder[VectorT], cache: VectorCache, codec: VectorCodec[VectorT], version: str = ""
    ) -> None:
        self._embedder = embedder
        self._cache = cache
        self._codec = codec
        self._model = (repr(embedder.description) + version).encode()

    @property
    def description(self) -> ModelDescription:
        return self._embedder.description

    @property
    def limits(self) -> BatchLimits:
        """The limits of one run of the model."""
        return self._embedder.limits

    def look_up(self, texts: Sequence[str]) -> list[VectorT | None]:
        """The vector of each text that the cache has, else None, in the order of the texts."""
        keys = [self._key(text) for text in texts]
        found = self._cache.find(keys)
        return [self._decode(found.get(key)) for key in keys]

    def embed_documents(self, texts: Sequence[str]) -> Sequence[VectorT]:
        """One vector a text, in the order of the texts.

        Raises:
            EmbeddingError: the model gave something that is no vector of its kind.
        """
        vectors = self.look_up(texts)
        missing = [index for index, vector in enumerate(vectors) if vector is None]
        new = [texts[index] for index in missing]
        made = self._keep(new, self._embedder.embed_documents(new)) if new else []
        by_index = dict(zip(missing, made, strict=True))
        return [by_index[index] if vector is None else vector for index, vector in enumerate(vectors)]

    def embed_batch(self, texts: Sequence[str]) -> Sequence[VectorT]:
        """One vector a text, in their order, by one run of the model, which the cache then remembers.

        Raises:
            EmbeddingError: the model gave something that is no vector of its kind.
        """
        return self._keep(texts, self._embedder.embed_batch(texts))

    def forget(self, texts: Sequence[str], *, is_dry: bool = False) -> int:
        """Forget the vectors of texts, or only look; how many the cache had.

        Raises:
            OSError: it cannot be written.
        """
        keys = [self._key(text) for text in texts]
        return len(self._cache.find(keys)) if is_dry else self._cache.forget(keys)

    def embed_query(self, text: str) -> VectorT:
        return self._embedder.embed_query(text)

    def close(self) -> None:
        """Close the model; the cache belongs to whoever opened it."""
        self._embedder.close()

    def _keep(self, texts: Sequence[str], vectors: Sequence[VectorT]) -> Sequence[VectorT]:
        encoded = [self._codec.encode(vector) for vector in vectors]
        self._cache.keep(dict(zip(map(self._key, texts), encoded, strict=True)))
        return vectors

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(self._model + b"\0" + text.encode("utf-8", "surrogatepass")).digest()

    def _decode(self, content: bytes | None) -> VectorT | None:
        if content is None:
            return None
        try:
            return self._codec.decode(content)
        except ValueError:
            self._cache.damaged += 1
            return None
