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


def data_name_spans(text: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where they stand, each with what is left of it for a reader: the name of its type, or `data`."""
    if not _MAY_HAVE_DATA.search(text):
        return []
    return [
        ((found.end("quote") if found["quote"] else found.start(), found.end()), _name(found))
        for found in _DATA_ADDRESS.finditer(text)
    ]


def _name(found: re.Match[str]) -> tuple[int, int]:
    if found["type"]:
        return found.span("type")
    start = found.end("quote") if found["quote"] else found.start()
    return start, start + len("data")
