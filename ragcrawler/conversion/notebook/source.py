"""Texts of a notebook: one string, or a list of lines."""


def text_of(source: object) -> str:
    """The text, "" for anything else than strings."""
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""
