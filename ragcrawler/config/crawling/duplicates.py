"""The settings for what several pages say: near-duplicates, and boilerplate of a site."""

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
        shared_block_share: of a site's pages, from which on a block of text is boilerplate; 0.0 for never.
    """

    similarity: float
    min_words: int
    shared_block_share: float = 0.0

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
        name = "SHARED_BLOCK_SHARE"
        share = read.number(name, above=-1.0)
        if not (share == 0 or 0.3 <= share <= 1):  # noqa: PLR2004 - below, sections of a site have it in common
            raise SettingError(name, share, "0, or from 0.3 to 1")
        return cls(similarity, read.integer("NEAR_DUPLICATE_MIN_WORDS", minimum=1), share)
