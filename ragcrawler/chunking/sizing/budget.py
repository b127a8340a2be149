"""The token budget of a chunk, and the tokens of each span of the document."""

from dataclasses import dataclass, field, replace

from ragcrawler.chunking.config import TRUNCATION_BUFFER
from ragcrawler.chunking.sizing.token_map import TokenMap


@dataclass(slots=True)
class TokenBudget:
    """The limit of a chunk's tokens, with the counts to hold it.

    Attributes:
        map: the counts of the document.
        limit: tokens that a unit may have.
        truncation_buffer: of these, how many stay free where a run that nothing can break is truncated.
    """

    map: TokenMap = field(repr=False)
    limit: int
    truncation_buffer: int = TRUNCATION_BUFFER

    @property
    def text(self) -> str:
        return self.map.text

    def count(self, text: str) -> int:
        """Tokens of a text that need not stand in the document."""
        return self.map.count_text(text)

    def count_spans(self, spans: list[tuple[int, int]]) -> list[int]:
        """Tokens of spans of the document, wherever they begin and end."""
        return self.map.count_spans(spans)

    def without(self, tokens: int) -> "TokenBudget":
        """The same with less room; at least one token is left."""
        return replace(self, limit=max(1, self.limit - tokens))
