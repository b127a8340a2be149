"""Dense embeddings by fastembed."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.inference.device import find_device
from ragcrawler.embedding.inference.fastembed_model import FastembedModel
from ragcrawler.embedding.inference.loading import limit_input, loading
from ragcrawler.embedding.onnx.model_folder import ModelFolder
from ragcrawler.embedding.precision import name_before_int8
from ragcrawler.embedding.protocol import DenseVector, EmbeddingError, ModelDescription
from ragcrawler.embedding.tokens.token_pooling import TokenPooling
from ragcrawler.items import DenseWithTokens

if TYPE_CHECKING:
    from fastembed import TextEmbedding


class FastembedDense(FastembedModel[DenseVector]):
    """A dense model that runs in this process."""

    _model: "TextEmbedding"

    def embed_batch(self, texts: Sequence[str]) -> list[DenseVector]:
        """One vector a text, in their order, by one run."""
        inputs = [self._input(text) for text in texts]
        return [vector.tolist() for vector in self._model.passage_embed(inputs, batch_size=len(inputs))]

    def embed_query(self, text: str) -> DenseVector:
        """The vector of a question, with the prefix that some models want for it."""
        vector: DenseVector = next(iter(self._model.query_embed(self._input(text)))).tolist()
        return vector


class FastembedTokens(FastembedDense):
    """The same, and each vector brings those of its text's tokens, by the same run."""

    def __init__(
        self,
        model: "TextEmbedding",
        description: ModelDescription,
        limits: BatchLimits,
        pooling: TokenPooling,
    ) -> None:
        super().__init__(model, description, limits)
        self._pooling = pooling

    def embed_batch(self, texts: Sequence[str]) -> list[DenseVector]:
        return list(self._run(texts, self._pooling.of_document))

    def embed_query(self, text: str) -> DenseVector:
        return next(self._run([text], self._pooling.of_question))

    def _run(
        self, texts: Sequence[str], pool: Callable[[Any, Any], tuple[bytes, ...]]
    ) -> Iterator[DenseWithTokens]:
        model: Any = self._model.model
        output = model.onnx_embed([self._input(text) for text in texts])
        states, numbers = output.model_output, np.asarray(output.input_ids)
        masks = np.asarray(output.attention_mask).astype(bool)
        for row, vector in enumerate(model._post_process_onnx_output(output)):
            tokens = pool(states[row][masks[row]], numbers[row][masks[row]])
            yield DenseWithTokens(vector.tolist(), tokens)


def load_dense(description: ModelDescription, folder: ModelFolder, config: EmbeddingConfig) -> FastembedDense:
    """Load a model from its folder; one that fastembed does not know by name is made known to it.

    Raises:
        EmbeddingError: the folder is not whole, its model does not run, or the device is not there.
    """
    from fastembed import TextEmbedding

    device = find_device(config.device)
    with loading(description.name, folder.path):
        model = TextEmbedding(
            _name_for_fastembed(description, folder), specific_model_path=str(folder.path), **device.options
        )
        device.check(model.model)
        limit_input(model.model, description.limit_tokens)
    embedder = _embedder(model, description, config, device.limits(config, description.limit_tokens))
    width = len(embedder.embed_query("width"))
    if width != description.dimensions:
        raise EmbeddingError(
            f"the model {description.name} makes vectors of {width} numbers, its config.json says"
            f" {description.dimensions}: put the files of one and the same model into {folder.path}"
        )
    return embedder


def _embedder(
    model: "TextEmbedding", description: ModelDescription, config: EmbeddingConfig, limits: BatchLimits
) -> FastembedDense:
    if not config.token_vectors or not _averages_tokens(model.model):
        return FastembedDense(model, description, limits)
    loaded: Any = model.model
    return FastembedTokens(
        model, description, limits, TokenPooling.of(loaded.tokenizer, config.token_stop_words)
    )


def _averages_tokens(model: Any) -> bool:
    """Whether a model of fastembed's makes the text's vector of all of its tokens' vectors.

    Where it takes the first one's, as `BAAI/bge-base-en-v1.5` does, the others are not shown to help.
    """
    from fastembed.common.model_description import PoolingType
    from fastembed.text.custom_text_embedding import CustomTextEmbedding
    from fastembed.text.pooled_embedding import PooledEmbedding

    if isinstance(model, CustomTextEmbedding):
        return bool(model._pooling == PoolingType.MEAN)
    return isinstance(model, PooledEmbedding)


def _name_for_fastembed(description: ModelDescription, folder: ModelFolder) -> str:
    """The name by which fastembed knows how to pool; registered first where it does not know the model."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    known = {model["model"] for model in TextEmbedding.list_supported_models()}
    original = name_before_int8(description.name)
    for listed in (description.name, original):
        if listed in known:  # its class knows how the tokens' vectors become the text's
            return str(listed)
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
