"""A model of your own: the name is the path of its folder."""

from collections.abc import Sequence
from pathlib import Path

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.families.quantised import QuantisedFamily
from ragcrawler.embedding.hub.probe import HubProbe
from ragcrawler.embedding.model_place import ModelPlace
from ragcrawler.embedding.onnx.model_folder import MODEL_FILES, ModelFolder
from ragcrawler.embedding.protocol import EmbeddingError, Kind, ModelDescription


class FolderFamily(QuantisedFamily):
    """Folders in the layout of sentence-transformers, with an ONNX file."""

    def names(self, kind: Kind) -> Sequence[str]:  # noqa: ARG002 - the Protocol's signature
        """None: which folders there are is not known."""
        return []

    def knows(self, name: str, kind: Kind) -> bool:  # noqa: ARG002 - the base's signature
        """Whether there is such a folder."""
        return Path(name).expanduser().is_dir()

    def describe_original(self, name: str, kind: Kind) -> ModelDescription:
        """The description, by the folder's files; a collection remembers the absolute path.

        Raises:
            EmbeddingError: there is no such folder, or it does not say what is needed.
        """
        return _folder(name).describe(kind)

    def require_original(self, description: ModelDescription, config: EmbeddingConfig, hub: HubProbe) -> None:  # noqa: ARG002 - the Protocol's signature
        """Return when the folder is there.

        Raises:
            EmbeddingError: it is not.
        """
        _folder(description.name)

    def locate_original(self, description: ModelDescription, config: EmbeddingConfig) -> ModelPlace:  # noqa: ARG002 - the base's signature
        """The folder that the name says."""
        return ModelPlace("folder", str(_folder(description.name).path))

    def original_folder(self, description: ModelDescription, config: EmbeddingConfig) -> ModelFolder:  # noqa: ARG002 - the base's signature
        """The folder that the name says."""
        return _folder(description.name)


def _folder(name: str) -> ModelFolder:
    path = Path(name).expanduser().resolve()
    if not path.is_dir():
        raise EmbeddingError(
            f"the model folder {path} is not there: give the path of a folder with an ONNX model"
        )
    found = [name for name in MODEL_FILES if (path / name).is_file()]
    return ModelFolder(path, str(path), *found[:1])
