"""The part of a text that a model is given."""

_MOST_CHARACTERS_A_TOKEN = (
    1000  # more than any text but runs of white space has; bounds the tokenizer's memory
)


def model_input(text: str, limit_tokens: int) -> str:
    """The text without what no tokenizer takes, cut far behind the model's limit.

    A tokenizer reads all of a text before it cuts, and refuses a whole batch for one lone surrogate, which
    JSON can smuggle into a page's title.
    """
    return text[: limit_tokens * _MOST_CHARACTERS_A_TOKEN].encode("utf-8", "replace").decode("utf-8")
