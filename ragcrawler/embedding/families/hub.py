"""Models by their hub names: fetched once, then read from the cache."""

from collections.abc import Sequence

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.families.quantised import QuantisedFamily
from ragcrawler.embedding.hub.files import cached_folder, fetched_folder
from ragcrawler.embedding.hub.models import HubModel, find_hub_model, hub_models
from ragcrawler.embedding.hub.probe import HubProbe
from ragcrawler.embedding.model_place import ModelPlace
from ragcrawler.embedding.onnx.model_folder import ModelFolder
from ragcrawler.embedding.protocol import SETTINGS, EmbeddingError, Kind, ModelDescription


class HubFamily(QuantisedFamily):
    """The models that fastembed knows by name; case does not matter."""

    def names(self, kind: Kind) -> Sequence[str]:
        """The names fastembed knows."""
        return [model.description.name for model in hub_models(kind)]

    def knows(self, name: str, kind: Kind) -> bool:
        """Whether fastembed lists the name."""
        return find_hub_model(name, kind) is not None

    def describe_original(self, name: str, kind: Kind) -> ModelDescription | None:
        """The description, by fastembed's list; None where it does not know the name."""
        model = find_hub_model(name, kind)
        return model.description if model else None

    def require_original(self, description: ModelDescription, config: EmbeddingConfig, hub: HubProbe) -> None:
        """Return when the model is cached or the hub offers it.

        Raises:
            EmbeddingError: it is neither.
        """
        model = _model(description)
        if cached_folder(model, config) is None and not hub.offers(model.repository):
            places = " or ".join(str(place) for place in config.hub_cache_dirs)
            asked = (
                "the hub is not asked (offline)"
                if config.offline
                else f"{config.hub_endpoint} does not offer it"
            )
            raise EmbeddingError(
                f"{description.name} is not in {places} and {asked}; give access to the hub, copy the model"
                f" there, or choose another one ({SETTINGS[description.kind]})"
            )

    def locate_original(self, description: ModelDescription, config: EmbeddingConfig) -> ModelPlace:
        """In the cache, or at the hub."""
        model = _model(description)
        if cached := cached_folder(model, config):
            return ModelPlace("hub", str(cached.path))
        return ModelPlace("hub", f"{config.hub_endpoint.rstrip('/')}/{model.repository}", is_here=False)

    def original_folder(self, description: ModelDescription, config: EmbeddingConfig) -> ModelFolder:
        """The model's folder in the cache, fetched when it is not there.

        Raises:
            EmbeddingError: it cannot be fetched.
        """
        return fetched_folder(_model(description), config)


def _model(description: ModelDescription) -> HubModel:
    model = find_hub_model(description.name, description.kind)
    if model is None:
        raise EmbeddingError(
            f"fastembed knows no {description.kind} model {description.name!r}: take the name it lists"
        )
    return model
