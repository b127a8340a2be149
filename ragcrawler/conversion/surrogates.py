"""JSON and YAML can name halves of a character; no file and no store takes them."""


def without_surrogates(text: str) -> str:
    """The text with halves that make a pair joined, and each other half as U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
