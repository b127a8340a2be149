"""The bundled models under their names."""

from collections.abc import Sequence

from ragcrawler.embedding.bundled import BUNDLED_DENSE, BUNDLED_SPARSE, BundledModel
from ragcrawler.embedding.bundled_build import built_folder
from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.hub_probe import HubProbe
from ragcrawler.embedding.model_folder import ModelFolder
from ragcrawler.embedding.onnx_family import OnnxFamily
from ragcrawler.embedding.protocol import Kind, ModelDescription


class BundledFamily(OnnxFamily):
    """One model of each kind."""

    def names(self, kind: Kind) -> Sequence[str]:
        """The one name there is."""
        return [_model(kind).name]

    def describe(self, name: str, kind: Kind) -> ModelDescription | None:
        """The description, by our table; None for another name.

        Raises:
            EmbeddingError: its package is not installed.
        """
        return _model(kind).describe() if name == _model(kind).name else None

    def require(self, description: ModelDescription, config: EmbeddingConfig, hub: HubProbe) -> None:  # noqa: ARG002 - the Protocol's signature
        """Return when the package is installed.

        Raises:
            EmbeddingError: it is not.
        """
        _model(description.kind).file("model.safetensors")

    def folder(self, description: ModelDescription, config: EmbeddingConfig) -> ModelFolder:
        """The model's folder, built when it is not there."""
        return built_folder(_model(description.kind), config.cache_dir)


def _model(kind: Kind) -> BundledModel:
    return BUNDLED_DENSE if kind == "dense" else BUNDLED_SPARSE
