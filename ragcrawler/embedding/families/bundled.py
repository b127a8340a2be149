"""The bundled models under their names."""

from collections.abc import Sequence

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.families.onnx import OnnxFamily
from ragcrawler.embedding.hub.probe import HubProbe
from ragcrawler.embedding.model_place import ModelPlace
from ragcrawler.embedding.onnx.bundled import BUNDLED_MODELS, BundledModel
from ragcrawler.embedding.onnx.bundled_build import built_folder, require_built
from ragcrawler.embedding.onnx.model_folder import ModelFolder
from ragcrawler.embedding.protocol import Kind, ModelDescription


class BundledFamily(OnnxFamily):
    """Models that lie in installed packages."""

    def __init__(self, models: Sequence[BundledModel] = BUNDLED_MODELS) -> None:
        self._models = {(model.name, model.kind): model for model in models}

    def names(self, kind: Kind) -> Sequence[str]:
        """The names of our table."""
        return [name for name, kind_of_model in self._models if kind_of_model == kind]

    def describe(self, name: str, kind: Kind) -> ModelDescription | None:
        """The description, by our table; None for another name.

        Raises:
            EmbeddingError: its package is not installed.
        """
        model = self._models.get((name, kind))
        return model.describe() if model else None

    def require(self, description: ModelDescription, config: EmbeddingConfig, hub: HubProbe) -> None:  # noqa: ARG002 - the Protocol's signature
        """Return when the packages that it takes are installed.

        Raises:
            EmbeddingError: one is not.
        """
        require_built(self._model(description), config.cache_dir)

    def locate(self, description: ModelDescription, config: EmbeddingConfig) -> ModelPlace:  # noqa: ARG002 - the Protocol's
        """In the package that carries it."""
        return ModelPlace("package", self._model(description).package)

    def folder(self, description: ModelDescription, config: EmbeddingConfig) -> ModelFolder:
        """The model's folder, built when it is not there.

        Raises:
            EmbeddingError: it cannot be built.
        """
        return built_folder(self._model(description), config.cache_dir)

    def _model(self, description: ModelDescription) -> BundledModel:
        return self._models[description.name, description.kind]
