"""Filters: equalities on payload fields, checked and typed before an engine sees them."""

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ragcrawler.items import ChunkExtra, SemanticChunk
from ragcrawler.stores.protocol import StoreError

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,18}")  # what fits the engines' 64 bits
_NOT_EQUATABLE = {"headers", "extra", "embed_text", "vectors"}
# Flags are left out: the embedded engine's binding turns true into 1, which no flag equals.
_PAYLOAD_TYPES = {
    name: type_
    for name, type_ in (
        *((field.name, field.type) for field in fields(SemanticChunk) if field.name not in _NOT_EQUATABLE),
        ("section_path_list", str),
        *((f"extra.{field.name}", field.type) for field in fields(ChunkExtra)),
    )
    if type_ is not bool
}


def typed_filters(filters: Mapping[str, str] | None) -> dict[str, str | int]:
    """The filters with each value in the type of its field.

    Raises:
        StoreError: no payload field has that name, or the value does not fit it.
    """
    return {name: _typed(name, value) for name, value in (filters or {}).items()}


def payload_matches(payload: Mapping[str, Any], conditions: Mapping[str, str | int]) -> bool:
    """Whether all conditions hold; a list matches by any of its members."""
    return all(_holds(payload, name, wanted) for name, wanted in conditions.items())


def _typed(name: str, value: str) -> str | int:
    if name not in _PAYLOAD_TYPES:
        known = ", ".join(sorted(_PAYLOAD_TYPES))
        raise StoreError(
            f"Cannot filter by {name!r}: there is no such field of text or numbers, only {known}."
        )
    if _PAYLOAD_TYPES[name] is not int:
        return value
    if not _WHOLE_NUMBER.fullmatch(value):
        raise StoreError(f"Cannot filter by {name}={value!r}: the field holds a whole number.")
    return int(value)


def _holds(payload: Mapping[str, Any], name: str, wanted: str | int) -> bool:
    value: Any = payload
    for key in name.split("."):
        value = value.get(key)
        if value is None:
            return False
    return wanted in value if isinstance(value, list) else bool(value == wanted)
