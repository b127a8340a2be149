"""The settings for what several pages say: near-duplicates, and boilerplate of a site."""

from dataclasses import dataclass

from ragcrawler.config.reader import FromSettings, setting


@dataclass(frozen=True, slots=True)
class DuplicatesConfig(FromSettings):
    """When two texts count as one.

    Attributes:
        similarity: of their word sequences; 0.0 where only exact copies do.
        min_words: of a text that is compared.
        shared_block_share: of a site's pages, from which on a block of text is boilerplate; 0.0 for never.
    """

    similarity: float = setting("NEAR_DUPLICATE_SIMILARITY", "share", least=0.5)
    min_words: int = setting("NEAR_DUPLICATE_MIN_WORDS", "integer", minimum=1)
    shared_block_share: float = setting("SHARED_BLOCK_SHARE", "share", least=0.3, default=0.0)
