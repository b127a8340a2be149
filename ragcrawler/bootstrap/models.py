"""The models of a collection, loaded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragcrawler.bootstrap.configuration import Configuration
from ragcrawler.bootstrap.preparation import Preparation
from ragcrawler.embedding.embedders import Embedders, open_embedders
from ragcrawler.embedding.selection import select_models
from ragcrawler.items import SemanticChunk, Vectors
from ragcrawler.stores import CollectionModels


@dataclass(frozen=True, slots=True)
class Models:
    """Both embedders, and what the collection remembers of them."""

    embedders: Embedders
    remembered: CollectionModels

    def embed(self, chunks: Sequence[SemanticChunk]) -> list[Vectors]:
        """The vectors of some chunks, in their order."""
        texts = [chunk.embed_text for chunk in chunks]
        dense = self.embedders.dense.embed_documents(texts)
        sparse = self.embedders.sparse.embed_documents(texts)
        return [Vectors(*pair) for pair in zip(dense, sparse, strict=True)]

    def embed_query(self, text: str) -> Vectors:
        """The vectors of a question."""
        return Vectors(self.embedders.dense.embed_query(text), self.embedders.sparse.embed_query(text))

    def preparation(self, configuration: Configuration) -> Preparation:
        """The call that converts and chunks, with sizes for these models.

        Raises:
            SettingError: the sizes that were set do not fit the models.
        """
        limit = self.embedders.limit_tokens
        chunking = replace(configuration.chunking, model=f"{self.remembered.dense}+{self.remembered.sparse}")
        return Preparation(
            limits=configuration.conversion,
            chunking=configuration.chunk_sizes.config(limit, chunking),
            tokenizer=self.embedders.tokenizer,
            limit_tokens=limit + self.embedders.dense.description.special_tokens,
        )


def open_models(configuration: Configuration, remembered: CollectionModels | None) -> Models:
    """Select and load the models; an existing collection decides by what it remembers.

    Raises:
        EmbeddingError: a model cannot be had, or differs from the collection's.
    """
    selection = select_models(
        configuration.dense_model,
        configuration.sparse_model,
        (remembered.dense, remembered.sparse) if remembered else None,
        configuration.embedding,
    )
    embedders = open_embedders(selection, configuration.embedding)
    dense, sparse = embedders.dense.description, embedders.sparse.description
    return Models(
        embedders,
        CollectionModels(
            dense=dense.name,
            dense_dimensions=dense.dimensions,
            sparse=sparse.name,
            dense_fingerprint=dense.fingerprint,
            sparse_fingerprint=sparse.fingerprint,
        ),
    )
