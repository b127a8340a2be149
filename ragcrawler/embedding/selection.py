"""Choosing the models of a collection."""

import logging
from dataclasses import dataclass

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.families.onnx import OnnxFamily
from ragcrawler.embedding.hub.models import SPLADE
from ragcrawler.embedding.hub.probe import HttpHubProbe, HubProbe, NoHub
from ragcrawler.embedding.model_registry import describe, family_of
from ragcrawler.embedding.onnx.bundled import BUNDLED_DENSE, BUNDLED_SPARSE
from ragcrawler.embedding.precision import int8_name
from ragcrawler.embedding.protocol import SETTINGS, EmbeddingError, Kind, ModelDescription

AUTO = "auto"
DEFAULT_DENSE = "BAAI/bge-base-en-v1.5"

_logger = logging.getLogger(__name__)
_DEFAULTS: dict[Kind, tuple[str, str]] = {
    "dense": (DEFAULT_DENSE, int8_name(BUNDLED_DENSE.name)),
    "sparse": (SPLADE, int8_name(BUNDLED_SPARSE.name)),
}


@dataclass(frozen=True, slots=True)
class ModelSelection:
    """The models of a collection, each known to be at hand."""

    dense: ModelDescription
    sparse: ModelDescription

    @property
    def limit_tokens(self) -> int:
        """The longest text that both read whole, special tokens already taken off."""
        return min(model.limit_tokens - model.special_tokens for model in (self.dense, self.sparse))


def open_hub_probe(config: EmbeddingConfig) -> HubProbe:
    """The probe that the configuration asks for."""
    return NoHub() if config.offline else HttpHubProbe(config.hub_endpoint, config.hub_timeout_seconds)


def select_models(
    dense: str,
    sparse: str,
    remembered: tuple[str, str] | None,
    config: EmbeddingConfig,
    hub: HubProbe | None = None,
) -> ModelSelection:
    """Decide which models a collection gets.

    `"auto"` follows what an existing collection remembers. For a new one it is the hub's model where that is
    cached or the hub answers, else the bundled one in 8 bits, which a warning says. With the precision "int8"
    a model of a new collection, or a named one, is the one in 8 bits.

    Args:
        dense: name of the dense model, or "auto".
        sparse: name of the sparse model, or "auto".
        remembered: names of the dense and the sparse model of an existing collection, None for a new one.
        config: where models lie.
        hub: knows what the hub offers; made from the configuration unless given.

    Raises:
        EmbeddingError: a name is unknown, differs from the remembered one, or its model is not available.
    """
    choice = ModelChoice(config, hub or open_hub_probe(config))
    names = remembered or (None, None)
    selection = ModelSelection(
        dense=choice.choose("dense", dense, names[0]), sparse=choice.choose("sparse", sparse, names[1])
    )
    choice.warn()
    return selection


class ModelChoice:
    """Chooses models, and notes which of them stand in for others.

    Attributes:
        config: where models lie.
        absences: why the usual models, for which others stand in, are not available.
    """

    def __init__(self, config: EmbeddingConfig, hub: HubProbe) -> None:
        self.config = config
        self.absences: list[EmbeddingError] = []
        self._hub = hub
        self._stand_ins: list[str] = []

    def choose(self, kind: Kind, wanted: str, remembered: str | None) -> ModelDescription:
        """The model of a kind; see `select_models`.

        Raises:
            EmbeddingError: it is not available, or not the one that is remembered.
        """
        if wanted == AUTO:
            return self._recall(remembered, kind) if remembered else self._default(kind)
        description = describe(self._precise(wanted), kind)
        if remembered and description.name != remembered:
            raise _differs(kind, description.name, remembered)
        return self._at_hand(description.name, kind)

    def warn(self) -> None:
        """Say in one warning which models stand in for others."""
        if self._stand_ins:
            models = " and ".join(self._stand_ins)
            _logger.warning("Smaller models than the usual ones are used, %s: %s", models, self.absences[0])

    def _recall(self, name: str, kind: Kind) -> ModelDescription:
        if self._precise(name) != name:
            _logger.warning(
                "The collection keeps its %s model %s: EMBEDDING_PRECISION=int8 is for new collections",
                kind,
                name,
            )
        return self._at_hand(name, kind)

    def _precise(self, name: str) -> str:
        """The name with the precision that is asked for, where it is that of a model which can have it."""
        is_model_file = isinstance(family_of(name), OnnxFamily)
        return int8_name(name) if self.config.precision == "int8" and is_model_file else name

    def _default(self, kind: Kind) -> ModelDescription:
        first, bundled = _DEFAULTS[kind]
        first = self._precise(first)
        try:
            return self._at_hand(first, kind)
        except EmbeddingError as absence:
            description = self._bundled(bundled, kind, absence)
            self._stand_ins.append(f"{bundled} for {first}")
            self.absences.append(absence)
            return description

    def _bundled(self, name: str, kind: Kind, absence: EmbeddingError) -> ModelDescription:
        try:
            return self._at_hand(name, kind)
        except EmbeddingError as error:
            raise EmbeddingError(
                f"there is no {kind} model: {absence}; {error}; or search by words alone, for which no model"
                " is needed: set EMBEDDING_MODEL=hashing/384 and SPARSE_EMBEDDING_MODEL=hashing/sparse"
            ) from error

    def _at_hand(self, name: str, kind: Kind) -> ModelDescription:
        description = describe(name, kind)
        family_of(name).require(description, self.config, self._hub)
        return description


def _differs(kind: Kind, wanted: str, remembered: str) -> EmbeddingError:
    setting = SETTINGS[kind]
    precision = " and EMBEDDING_PRECISION=original" if wanted == int8_name(remembered) else ""
    return EmbeddingError(
        f"the collection holds {kind} vectors of {remembered}, and {setting} names {wanted}: set"
        f" {setting}={remembered} (or auto){precision} to go on with it, or start a new one: set"
        " QDRANT_COLLECTION to another name, or delete this one"
    )
