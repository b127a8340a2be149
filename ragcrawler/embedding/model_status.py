"""Which models a collection gets, where they come from, and whether they are here."""

from dataclasses import dataclass

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.hub.probe import HubProbe
from ragcrawler.embedding.model_place import ModelPlace
from ragcrawler.embedding.model_registry import family_of
from ragcrawler.embedding.protocol import EmbeddingError, Kind
from ragcrawler.embedding.selection import ModelChoice, open_hub_probe


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """A model as a crawl or a search would choose it now.

    Attributes:
        kind: the kind of vector it makes.
        name: of the model; where none is available, what the settings name.
        place: where it comes from; None where it is not available.
        problem: why it is not available, or why it stands in for the usual one, and what to do; else "".
    """

    kind: Kind
    name: str
    place: ModelPlace | None
    problem: str = ""

    @property
    def is_available(self) -> bool:
        """Whether a crawl can begin with it."""
        return self.place is not None

    def __str__(self) -> str:
        if self.place is None:
            return f"{self.kind}: {self.name} is not available: {self.problem}"
        state = "here" if self.place.is_here else "fetched at its first use"
        return f"{self.kind}: {self.name}, {self.place.source} {self.place.place}, {state}"


def model_statuses(
    dense: str,
    sparse: str,
    remembered: tuple[str, str] | None,
    config: EmbeddingConfig,
    hub: HubProbe | None = None,
) -> tuple[ModelStatus, ModelStatus]:
    """The dense and the sparse model; nothing is fetched, built or loaded, and nothing raised.

    Args:
        dense: name of the dense model, or "auto".
        sparse: name of the sparse model, or "auto".
        remembered: names of the dense and the sparse model of an existing collection, None for a new one.
        config: where models lie.
        hub: knows what the hub offers; made from the configuration unless given: it is asked then.
    """
    hub = hub or open_hub_probe(config)
    names = remembered or (None, None)
    return (
        _status("dense", dense, names[0], ModelChoice(config, hub)),
        _status("sparse", sparse, names[1], ModelChoice(config, hub)),
    )


def _status(kind: Kind, wanted: str, remembered: str | None, choice: ModelChoice) -> ModelStatus:
    try:
        description = choice.choose(kind, wanted, remembered)
        place = family_of(description.name).locate(description, choice.config)
    except EmbeddingError as error:
        return ModelStatus(kind, remembered or wanted, None, str(error))
    return ModelStatus(kind, description.name, place, "; ".join(str(each) for each in choice.absences))
