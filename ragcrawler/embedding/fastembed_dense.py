"""Dense embeddings by fastembed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.loading import limit_input, loading
from ragcrawler.embedding.model_folder import ModelFolder
from ragcrawler.embedding.protocol import DenseVector, ModelDescription
from ragcrawler.embedding.sorted_batches import embed_sorted

if TYPE_CHECKING:
    from fastembed import TextEmbedding


class FastembedDense:
    """A dense model that runs in this process."""

    def __init__(self, model: "TextEmbedding", description: ModelDescription, batch_size: int) -> None:
        self._model = model
        self._description = description
        self._batch_size = batch_size

    @property
    def description(self) -> ModelDescription:
        """The model behind it."""
        return self._description

    def embed_documents(self, texts: Sequence[str]) -> list[DenseVector]:
        """One vector a text, in the order of the texts."""
        return embed_sorted(texts, self._batch_size, self._embed_batch)

    def embed_query(self, text: str) -> DenseVector:
        """The vector of a question, with the prefix that some models want for it."""
        vector: DenseVector = next(iter(self._model.query_embed(text))).tolist()
        return vector

    def _embed_batch(self, texts: list[str]) -> list[DenseVector]:
        return [vector.tolist() for vector in self._model.passage_embed(texts, batch_size=len(texts))]


def load_dense(description: ModelDescription, folder: ModelFolder, config: EmbeddingConfig) -> FastembedDense:
    """Load a model from its folder; one that fastembed does not know by name is made known to it.

    Raises:
        EmbeddingError: the folder is not whole or its model does not run.
    """
    from fastembed import TextEmbedding

    with loading(description.name, folder.path):
        model = TextEmbedding(
            _name_for_fastembed(description, folder),
            specific_model_path=str(folder.path),
            threads=config.threads,
        )
        limit_input(model.model, description.limit_tokens)
    return FastembedDense(model, description, config.batch_size)


def _name_for_fastembed(description: ModelDescription, folder: ModelFolder) -> str:
    """The name by which fastembed knows how to pool; registered first where it does not know the model."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    known = {model["model"] for model in TextEmbedding.list_supported_models()}
    if description.name in known:
        return description.name
    pooling = folder.pooling
    name = f"{description.name}@{description.fingerprint}-{description.dimensions}-{pooling}"
    if name not in known:  # a second registration of one name raises
        TextEmbedding.add_custom_model(
            model=name,
            pooling=PoolingType.MEAN if pooling == "mean" else PoolingType.CLS,
            normalization=True,
            sources=ModelSource(hf=description.name),
            dim=description.dimensions,
            model_file=folder.model_file,
        )
    return name
