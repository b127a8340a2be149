"""The text that is embedded: the headings above a chunk, then the chunk."""

from collections.abc import Sequence

from ragcrawler.chunking.sizing.tokens import TokenCounter

_SEPARATOR = " > "
# With some tokenizers two texts have more tokens together than apart.
_SEAM = 8


class EmbedText:
    """Puts headings in front of contents and neighbours' text around them, as far as the limit allows."""

    def __init__(self, tokens: TokenCounter) -> None:
        self._tokens = tokens

    def of(
        self,
        content: str,
        content_tokens: int,
        headings: Sequence[str],
        lead_in: str,
        context: tuple[str, str],
    ) -> str:
        """The content under its headings and its lead-in, between its context; what has no room is left out.

        The context gives way first, then the lead-in, then the outermost headings. `content_tokens` may be
        more than the content has.
        """
        before, after = context
        for around in ((lead_in, before, content, after), (lead_in, content)):
            text = "\n\n".join(part for part in around if part)
            size = content_tokens if text == content else self._tokens.count(text)
            if size <= self._tokens.limit:
                break
        else:
            text, size = content, content_tokens
        for first in range(len(headings)):
            path = _SEPARATOR.join(headings[first:]) + "\n\n"
            if self._fits(path, text, size):
                return path + text
        return text

    def _fits(self, path: str, text: str, tokens: int) -> bool:
        """Whether it surely fits by the sum of its parts, or else by its own count."""
        size = self._tokens.count(path) + tokens
        return size + _SEAM <= self._tokens.limit or self._tokens.count(path + text) <= self._tokens.limit
