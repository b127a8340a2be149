"""The text that is embedded: the headings above a chunk, then the chunk."""

from collections.abc import Sequence

from ragcrawler.chunking.tokens import TokenCounter

_SEPARATOR = " > "
# With some tokenizers two texts have more tokens together than apart.
_SEAM = 8


class EmbedText:
    """Puts headings in front of contents, and the neighbours' text around them, as far as the model's limit allows."""

    def __init__(self, tokens: TokenCounter) -> None:
        self._tokens = tokens

    def of(self, content: str, content_tokens: int, headings: Sequence[str], context: tuple[str, str]) -> str:
        """The content under its headings, between its context; what has no room is left out.

        The context gives way first, then the outermost headings.
        """
        before, after = context
        if before or after:
            surrounded = "\n\n".join(part for part in (before, content, after) if part)
            size = self._tokens.count(surrounded)
            if size <= self._tokens.limit:
                content, content_tokens = surrounded, size
        for first in range(len(headings)):
            text = _SEPARATOR.join(headings[first:]) + "\n\n" + content
            if self._fits(text, text.removesuffix(content), content_tokens):
                return text
        return content

    def _fits(self, text: str, path: str, content_tokens: int) -> bool:
        """Whether it surely fits by the sum of its parts, or else by its own count."""
        size = self._tokens.count(path) + content_tokens
        return size + _SEAM <= self._tokens.limit or self._tokens.count(text) <= self._tokens.limit
