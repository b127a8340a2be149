"""Vectors of texts by the configured model, in one call (specification 004)."""

from functools import cache
from typing import overload

from ragcrawler.bootstrap.models.collection_embedders import open_dense
from ragcrawler.bootstrap.start_error import start_errors
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.embedding.protocol import DenseEmbedder
from ragcrawler.embedding.selection import select_models


@overload
def generate_embedding(chunks: str, **settings: object) -> list[float]: ...
@overload
def generate_embedding(chunks: list[str] | tuple[str, ...], **settings: object) -> list[list[float]]: ...
def generate_embedding(
    chunks: str | list[str] | tuple[str, ...], **settings: object
) -> list[float] | list[list[float]]:
    """The vector of a text, or a list with one vector for each of several texts.

    The model is loaded at the first call and kept for the later ones with the same settings. A question is
    embedded as any text is; `open_retriever` does better where a model embeds questions in another way.

    Args:
        chunks: a text, or texts.
        settings: settings by their names, `EMBEDDING_MODEL="hashing/384"` say.

    Raises:
        StartError: a setting is wrong, or the model is not available.
        EmbeddingError: the model failed.
    """
    with start_errors():
        embedder = _embedder(tuple(sorted(settings.items())))
    texts = [chunks] if isinstance(chunks, str) else list(chunks)
    vectors = [[float(value) for value in vector] for vector in embedder.embed_documents(texts)]
    return vectors[0] if isinstance(chunks, str) else vectors


@cache
def _embedder(settings: tuple[tuple[str, object], ...]) -> DenseEmbedder:
    configuration = Configuration.from_settings(project_settings(**dict(settings)))
    selection = select_models(
        configuration.dense_model, configuration.sparse_model, None, configuration.embedding
    )
    return open_dense(selection.dense, configuration.embedding)
