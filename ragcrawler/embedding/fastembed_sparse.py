"""Sparse embeddings by fastembed: models of the SPLADE kind."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.hub_models import SPLADE
from ragcrawler.embedding.loading import limit_input, loading
from ragcrawler.embedding.model_folder import ModelFolder
from ragcrawler.embedding.model_input import model_input
from ragcrawler.embedding.protocol import ModelDescription
from ragcrawler.embedding.sorted_batches import SortedBatches
from ragcrawler.items import SparseVector

if TYPE_CHECKING:
    from fastembed.sparse.splade_pp import SpladePP

# A run over 512 tokens holds 512 logits for each of 30,522 vocabulary entries: up to 0.1 GB.
_MOST_THREADS = 8


class FastembedSparse:
    """A SPLADE model that runs in this process.

    A text's vector is the maximum over its tokens of log(1 + relu(logit)), one weight a vocabulary entry
    (Formal et al. 2021, https://arxiv.org/abs/2109.10086). fastembed takes every logarithm before the
    maximum; as it grows with its argument, the maximum may go first, at a third of the cost.
    """

    def __init__(self, model: "SpladePP", description: ModelDescription, config: EmbeddingConfig) -> None:
        self._model = model
        self._description = description
        threads = min(config.threads, _MOST_THREADS)
        self._batches = SortedBatches(self._embed_batch, config.sparse_batch_size, threads)

    @property
    def description(self) -> ModelDescription:
        """The model behind it."""
        return self._description

    def embed_documents(self, texts: Sequence[str]) -> list[SparseVector]:
        """One vector a text, in the order of the texts; indices ascend."""
        return self._batches.embed(texts)

    def embed_query(self, text: str) -> SparseVector:
        """The vector of a question; the model embeds it as it does a document."""
        return self.embed_documents([text])[0]

    def _embed_batch(self, texts: list[str]) -> Iterator[SparseVector]:
        limit = self._description.limit_tokens
        output = self._model.onnx_embed([model_input(text, limit) for text in texts])
        for logits, mask in zip(output.model_output, np.asarray(output.attention_mask), strict=True):
            # To pick rows is to copy them, 60 MB for 512 tokens: left out where there is no padding.
            best = (logits if mask.all() else logits[mask.astype(bool)]).max(axis=0)
            indices = np.flatnonzero(best > 0)
            yield SparseVector(indices.tolist(), np.log1p(best[indices]).tolist())


def load_sparse(
    description: ModelDescription, folder: ModelFolder, config: EmbeddingConfig
) -> FastembedSparse:
    """Load a SPLADE model from its folder, in which it must be called `model.onnx`.

    Raises:
        EmbeddingError: the folder is not whole or its model does not run.
    """
    from fastembed.sparse.splade_pp import SpladePP

    with loading(description.name, folder.path):
        # fastembed knows no custom sparse models: the known name only says which class reads the folder.
        model = SpladePP(SPLADE, specific_model_path=str(folder.path), threads=1)
        limit_input(model, description.limit_tokens)
    return FastembedSparse(model, description, config)
