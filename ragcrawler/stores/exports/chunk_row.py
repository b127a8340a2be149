"""A chunk as a row of an export, and back, checked: a file may come from anywhere."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from ragcrawler.items import SemanticChunk, SparseVector, Vectors, chunk_from_record, chunk_record

_VECTORS = "vectors"
_PLAIN = {str: "text", int: "a whole number", bool: "true or false"}
_PLAIN_TYPES = {field.name: field.type for field in fields(SemanticChunk) if field.type in _PLAIN}
_LISTS = [field.name for field in fields(SemanticChunk) if field.type == tuple[str, ...]]
_SIGNIFICANT_DIGITS = 9  # tell any two floats of 32 bits apart


def chunk_row(chunk: SemanticChunk) -> dict[str, Any]:
    """The chunk's record, with its vectors where it has them; JSON values only."""
    row = chunk_record(chunk)
    if chunk.vectors is not None:
        row[_VECTORS] = {
            "dense": _short(chunk.vectors.dense),
            "sparse": {
                "indices": [int(index) for index in chunk.vectors.sparse.indices],
                "values": _short(chunk.vectors.sparse.values),
            },
        }
        if chunk.vectors.tokens:
            row[_VECTORS]["tokens"] = [b64encode(each).decode("ascii") for each in chunk.vectors.tokens]
    return row


def chunk_from_row(row: Any, *, has_vectors: bool) -> SemanticChunk:
    """The chunk of a row.

    Raises:
        ValueError: it is no chunk; says what is wrong with it.
    """
    if not isinstance(row, Mapping):
        raise ValueError("it is no chunk")  # noqa: TRY004 - like all that is wrong with a row
    record = dict(row)
    vectors = record.pop(_VECTORS, None)
    try:
        chunk = chunk_from_record(record)
    except (TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"it is no chunk ({error})") from error
    _check_types(chunk)
    return replace(chunk, vectors=_vectors(vectors)) if has_vectors else chunk


def _short(values: Any) -> list[float]:
    return [float(f"{value:.{_SIGNIFICANT_DIGITS}g}") for value in values]


def _check_types(chunk: SemanticChunk) -> None:
    for name, kind in _PLAIN_TYPES.items():
        value = getattr(chunk, name)
        if type(value) is not kind:
            raise ValueError(f"{name} is {value!r}, but should be {_PLAIN[kind]}")
    for name in _LISTS:
        for text in getattr(chunk, name):
            if not isinstance(text, str):
                raise ValueError(f"{name} holds {text!r}, which is no text")  # noqa: TRY004 - as above
    for text in (text for pair in chunk.headers for text in pair):
        if not isinstance(text, str):
            raise ValueError(f"the heading {text!r} is no text")  # noqa: TRY004 - as above


def _vectors(record: Any) -> Vectors:
    try:
        dense = tuple(float(value) for value in record["dense"])
        indices = tuple(int(index) for index in record["sparse"]["indices"])
        values = tuple(float(value) for value in record["sparse"]["values"])
        tokens = tuple(b64decode(each, validate=True) for each in record.get("tokens") or ())
    except (TypeError, KeyError, ValueError) as error:
        raise ValueError(f"its vectors are missing or damaged ({error})") from error
    return Vectors(dense, SparseVector(indices, values), tokens)
