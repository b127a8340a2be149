"""Counting as OpenAI's models do (specification 003)."""

from collections.abc import Sequence

PREFIX = "tiktoken:"
# What the embedding models behind these encodings take.
_LIMIT = 8191


class TiktokenCounter:
    """Counts with tiktoken, which the extra `tiktoken` installs.

    Args:
        encoding: `cl100k_base`, for example.
        limit_tokens: the model's input; these models add no special tokens.

    Raises:
        ImportError: tiktoken is not installed.
        ValueError: there is no such encoding, or its table cannot be downloaded.
    """

    def __init__(self, encoding: str, *, limit_tokens: int | None = None) -> None:
        try:
            import tiktoken
        except ImportError as error:
            message = f"the tokenizer {PREFIX}{encoding} needs tiktoken: pip install 'ragcrawler[tiktoken]'"
            raise ImportError(message) from error
        try:
            self._encoding = tiktoken.get_encoding(encoding)
        except OSError as error:
            raise ValueError(
                f"the table of {PREFIX}{encoding} could not be downloaded ({type(error).__name__}): "
                "give access to it once, or set TIKTOKEN_CACHE_DIR to a folder that has it"
            ) from error
        self._limit = limit_tokens or _LIMIT

    @property
    def limit(self) -> int:
        """Tokens of text that the model takes."""
        return self._limit

    def count(self, text: str) -> int:
        """Tokens of one text; what looks like a special token is text."""
        return len(self._encoding.encode_ordinary(text))

    def count_batch(self, texts: Sequence[str]) -> list[int]:
        return [len(self._encoding.encode_ordinary(text)) for text in texts]
