"""The text that is embedded: the headings above a chunk, then the chunk."""

from collections.abc import Sequence

from ragcrawler.chunking.tokens import TokenCounter

_SEPARATOR = " > "


class EmbedText:
    """Puts headings in front of contents as far as the model's limit allows."""

    def __init__(self, tokens: TokenCounter) -> None:
        self._tokens = tokens

    def of(self, content: str, content_tokens: int, headings: Sequence[str]) -> str:
        """The content under its headings; where there is no room for them, the outermost give way first."""
        room = self._tokens.limit - content_tokens
        for first in range(len(headings)):
            path = _SEPARATOR.join(headings[first:]) + "\n\n"
            if self._tokens.count(path) <= room:
                return path + content
        return content
