"""Addresses that are the data itself (RFC 2397): long, and no text."""

import re

_MAY_HAVE_DATA = re.compile("data:", re.IGNORECASE)
_PARAMETER = r";[\w.+-]+(?:=[\w.+-]*)?"
# Within the quotes of HTML they may have spaces.
_DATA_ADDRESS = re.compile(
    rf"""(?P<quote>")?(?<![\w.-])data:(?:(?P<type>[\w.+-]+/[\w.+-]+)(?:{_PARAMETER})*|(?:{_PARAMETER})+),"""
    r"""(?(quote)[^"\r\n]*|[^\s"<>]*)""",
    re.IGNORECASE,
)


def data_spans(text: str) -> list[tuple[int, int]]:
    """Where they stand."""
    return [match.span() for match in _DATA_ADDRESS.finditer(text)] if _MAY_HAVE_DATA.search(text) else []


def without_data(text: str) -> str:
    """The text with the name of its type in the place of each."""
    return _DATA_ADDRESS.sub(_type_name, text) if _MAY_HAVE_DATA.search(text) else text


def _type_name(found: re.Match[str]) -> str:
    return (found["quote"] or "") + (found["type"] or "data")
