"""The settings of near-duplicate detection."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader


@dataclass(frozen=True, slots=True)
class DuplicatesConfig:
    """When two texts count as one.

    Attributes:
        similarity: of their word sequences; 0.0 where only exact copies do.
        min_words: of a text that is compared.
    """

    similarity: float
    min_words: int

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """Read and check them.

        Raises:
            SettingError: a setting is invalid.
        """
        read = SettingsReader(settings)
        name = "NEAR_DUPLICATE_SIMILARITY"
        similarity = read.number(name, above=-1.0)
        if not (similarity == 0 or 0.5 <= similarity <= 1):  # noqa: PLR2004 - below, nothing alike is meant
            raise SettingError(name, similarity, "0, or from 0.5 to 1")
        return cls(similarity, read.integer("NEAR_DUPLICATE_MIN_WORDS", minimum=1))
