"""Counters by name."""

from ragcrawler.chunking.sizing.tiktoken_counter import PREFIX, TiktokenCounter
from ragcrawler.chunking.sizing.tokenizer_counter import TokenizerCounter


def open_counter(
    name: str, *, limit_tokens: int | None = None, at_least: int = 0
) -> TokenizerCounter | TiktokenCounter:
    """The counter for a path of a `tokenizer.json`, or for `tiktoken:ENCODING`.

    Args:
        name: the path, or the encoding.
        limit_tokens: what the model takes, special tokens included.
        at_least: tokens of text that the counter must allow; a smaller limit is raised to them.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file or the encoding is not usable.
        ImportError: tiktoken is not installed.
    """
    if name.startswith(PREFIX):
        limit = max(limit_tokens or 0, at_least) or None
        return TiktokenCounter(name.removeprefix(PREFIX), limit_tokens=limit)
    counter = TokenizerCounter(name, limit_tokens=limit_tokens)
    if counter.limit >= at_least:
        return counter
    return TokenizerCounter(name, limit_tokens=at_least + counter.special_tokens)
