"""Sparse embeddings by fastembed: models of the SPLADE kind."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.hub.models import SPLADE
from ragcrawler.embedding.inference.device import find_device
from ragcrawler.embedding.inference.fastembed_model import FastembedModel
from ragcrawler.embedding.inference.loading import limit_input, loading
from ragcrawler.embedding.onnx.model_folder import ModelFolder
from ragcrawler.embedding.protocol import ModelDescription
from ragcrawler.items import SparseVector

if TYPE_CHECKING:
    from fastembed.sparse.splade_pp import SpladePP

# A text of 512 tokens has 512 logits for each of 30,522 vocabulary entries: a run takes up to 0.1 GB a text.
_MOST_TEXTS = 4
_MOST_RUNS = 8


class FastembedSparse(FastembedModel[SparseVector]):
    """A SPLADE model that runs in this process.

    A text's vector is the maximum over its tokens of log(1 + relu(logit)), one weight a vocabulary entry
    (Formal et al. 2021, https://arxiv.org/abs/2109.10086). fastembed takes every logarithm before the
    maximum; as it grows with its argument, the maximum may go first, at a third of the cost.
    """

    _model: "SpladePP"

    def embed_batch(self, texts: Sequence[str]) -> list[SparseVector]:
        """One vector a text, in their order, by one run; indices ascend."""
        return list(self._pool(texts))

    def embed_query(self, text: str) -> SparseVector:
        """The vector of a question; the model embeds it as it does a document."""
        return self.embed_batch([text])[0]

    def _pool(self, texts: Sequence[str]) -> Iterator[SparseVector]:
        import numpy as np

        output = self._model.onnx_embed([self._input(text) for text in texts])
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
        EmbeddingError: the folder is not whole, its model does not run, or the device is not there.
    """
    from fastembed.sparse.splade_pp import SpladePP

    device = find_device(config.device)
    with loading(description.name, folder.path):
        # fastembed knows no custom sparse models: the known name only says which class reads the folder.
        model = SpladePP(SPLADE, specific_model_path=str(folder.path), **device.options)
        device.check(model)
        limit_input(model, description.limit_tokens)
    limits = device.limits(config, description.limit_tokens, _MOST_TEXTS)
    return FastembedSparse(model, description, replace(limits, runs=min(limits.runs, _MOST_RUNS)))
