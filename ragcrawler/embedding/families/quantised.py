"""The families whose models can be run in 8 bits, by a file that is made here."""

from abc import abstractmethod
from dataclasses import replace

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.families.onnx import OnnxFamily
from ragcrawler.embedding.hub.probe import HubProbe
from ragcrawler.embedding.model_place import ModelPlace
from ragcrawler.embedding.onnx.int8_build import int8_fingerprint, int8_folder
from ragcrawler.embedding.onnx.model_folder import ModelFolder
from ragcrawler.embedding.precision import int8_name, name_before_int8
from ragcrawler.embedding.protocol import Kind, ModelDescription


class QuantisedFamily(OnnxFamily):
    """A subclass knows its models as they are; each has a second name, in 8 bits."""

    @abstractmethod
    def knows(self, name: str, kind: Kind) -> bool:
        """Whether a model as it is has this name."""

    @abstractmethod
    def describe_original(self, name: str, kind: Kind) -> ModelDescription | None:
        """The description of a model as it is."""

    @abstractmethod
    def require_original(self, description: ModelDescription, config: EmbeddingConfig, hub: HubProbe) -> None:
        """Return if the model in full precision is available; else raise."""

    @abstractmethod
    def locate_original(self, description: ModelDescription, config: EmbeddingConfig) -> ModelPlace:
        """Where an available model comes from, as it is."""

    @abstractmethod
    def original_folder(self, description: ModelDescription, config: EmbeddingConfig) -> ModelFolder:
        """The folder of a model as it is."""

    def describe(self, name: str, kind: Kind) -> ModelDescription | None:
        """The description, without making or fetching anything; None where there is no such model.

        Raises:
            EmbeddingError: what is there does not say what is needed.
        """
        source = self._source(name, kind)
        found = self.describe_original(source or name, kind)
        if found is None or source is None:
            return found
        fingerprint = int8_fingerprint(found.fingerprint) if found.fingerprint else ""
        return replace(found, name=int8_name(found.name), fingerprint=fingerprint)

    def require(self, description: ModelDescription, config: EmbeddingConfig, hub: HubProbe) -> None:
        """Return if the model is available.

        Raises:
            EmbeddingError: it cannot.
        """
        self.require_original(self._original(description), config, hub)

    def locate(self, description: ModelDescription, config: EmbeddingConfig) -> ModelPlace:
        """Where an available model comes from; that of 8 bits is made of it here."""
        return self.locate_original(self._original(description), config)

    def folder(self, description: ModelDescription, config: EmbeddingConfig) -> ModelFolder:
        """The model's folder; fetched, and made into one of 8 bits, when needed.

        Raises:
            EmbeddingError: it is not available.
        """
        original = self._original(description)
        found = self.original_folder(original, config)
        if original is description:
            return found
        return int8_folder(found, description.name, config.cache_dir)

    def _original(self, description: ModelDescription) -> ModelDescription:
        source = self._source(description.name, description.kind)
        return description if source is None else replace(description, name=source, fingerprint="")

    def _source(self, name: str, kind: Kind) -> str | None:
        """The name of the model that this one is made from; None where it is one itself."""
        source = name_before_int8(name)
        return None if source is None or self.knows(name, kind) else source
