"""Models of services under their names, `openai:text-embedding-3-small`."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.families.family import ModelFamily
from ragcrawler.embedding.hub.probe import HubProbe
from ragcrawler.embedding.model_place import ModelPlace
from ragcrawler.embedding.protocol import (
    EmbeddingError,
    Kind,
    ModelDescription,
    SparseEmbedder,
)
from ragcrawler.embedding.remote.config import RemoteConfig
from ragcrawler.embedding.remote.dialect import Dialect
from ragcrawler.embedding.remote.embedder import RemoteEmbedder

_logger = logging.getLogger(__name__)
_LIMIT_TOKENS = 512  # as long as the configuration is not asked
_COUNTED = (
    "Tokens are counted as %s counts them, not exactly as %s does: EMBEDDING_TOKENIZER takes the path of its"
    " tokenizer.json"
)


class RemoteFamily:
    """The dense models of one kind of service; sparse ones stay on this machine.

    Args:
        dialect: the services' interface.
        stand_ins: models of other families whose tokenizer counts, the first that is here, where the model's
            own is not given.
    """

    def __init__(self, dialect: Dialect, stand_ins: Sequence[tuple[ModelFamily, str]]) -> None:
        self._dialect = dialect
        self._stand_ins = stand_ins

    def names(self, kind: Kind) -> Sequence[str]:  # noqa: ARG002 - the Protocol's signature
        """None: only the service knows them."""
        return []

    def describe(self, name: str, kind: Kind) -> ModelDescription | None:
        """The description as far as it is known without asking: no dimensions yet."""
        if kind == "sparse" or not self._model(name):
            return None
        return ModelDescription(name, kind, 0, _LIMIT_TOKENS)

    def require(self, description: ModelDescription, config: EmbeddingConfig, hub: HubProbe) -> None:  # noqa: ARG002 - the Protocol's signature
        """Return when the settings say how to reach this kind of service.

        Raises:
            EmbeddingError: they name another, or none.
        """
        self._config(description, config)

    def locate(self, description: ModelDescription, config: EmbeddingConfig) -> ModelPlace:
        """At the service's address; it is not asked.

        Raises:
            EmbeddingError: the settings name another kind of service, or none.
        """
        return ModelPlace("service", self._config(description, config).url or self._dialect.url)

    def tokenizer(self, description: ModelDescription, config: EmbeddingConfig) -> Path:
        """The tokenizer that was given; else a stand-in, which a warning says.

        Raises:
            EmbeddingError: it is not there.
        """
        given = self._config(description, config).tokenizer
        if given is not None:
            if not given.is_file():
                raise EmbeddingError(f"EMBEDDING_TOKENIZER names {given}: give the path of a tokenizer.json")
            return given
        return self._stand_in(description.name, config)

    def open_dense(self, description: ModelDescription, config: EmbeddingConfig) -> RemoteEmbedder:
        """The embedder; one request learns the dimensions, and whether address and key are right.

        Where the description has the dimensions, nothing is asked, and the first texts show whether it is so.

        Raises:
            EmbeddingError: the service does not answer as it should.
        """
        remote = self._config(description, config)
        origin = remote.url or self._dialect.url
        described = replace(description, limit_tokens=remote.limit_tokens, origin=origin)
        embedder = RemoteEmbedder(described, self._model(description.name), self._dialect, remote)
        try:
            if not described.dimensions:
                embedder.learn_dimensions()
        except BaseException:
            embedder.close()
            raise
        return embedder

    def open_sparse(self, description: ModelDescription, config: EmbeddingConfig) -> SparseEmbedder:  # noqa: ARG002 - the Protocol's signature
        """Nothing: there are no such models.

        Raises:
            EmbeddingError: always.
        """
        raise EmbeddingError(
            f"{description.name} cannot be a sparse model: set SPARSE_EMBEDDING_MODEL to one that runs here"
        )

    def _stand_in(self, name: str, config: EmbeddingConfig) -> Path:
        absences: list[EmbeddingError] = []
        for family, stand_in in self._stand_ins:
            try:
                description = family.describe(stand_in, "dense")
                if description is not None:
                    path = family.tokenizer(description, config)
                    _logger.warning(_COUNTED, stand_in, name)
                    return path
            except EmbeddingError as error:
                absences.append(error)
        raise EmbeddingError(f"nothing counts the tokens of {name}: set EMBEDDING_TOKENIZER ({absences})")

    def _model(self, name: str) -> str:
        return name.removeprefix(f"{self._dialect.name}:")

    def _config(self, description: ModelDescription, config: EmbeddingConfig) -> RemoteConfig:
        if config.remote is None or config.remote.provider != self._dialect.name:
            raise EmbeddingError(
                f"{description.name} is asked for over the network: set EMBEDDING_PROVIDER="
                f"{self._dialect.name}, and EMBEDDING_URL and EMBEDDING_API_KEY as the service wants them"
            )
        return config.remote
