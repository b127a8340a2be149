"""The models a collection remembers: as a record, and compared."""

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any

from ragcrawler.stores.errors import StoreError
from ragcrawler.stores.protocol import CollectionModels

_FIELD_TYPES = {field.name: field.type for field in fields(CollectionModels)}


def models_record(models: CollectionModels) -> dict[str, Any]:
    return asdict(models)


def models_from_record(record: Mapping[str, Any]) -> CollectionModels:
    """The models of a record; fields that a later version added are passed over.

    Raises:
        ValueError: a field is missing or of another type.
    """
    known = {name: record[name] for name in _FIELD_TYPES if name in record}
    wrong = [name for name, value in known.items() if not isinstance(value, _FIELD_TYPES[name])]  # type: ignore[arg-type]
    if wrong:
        raise ValueError(f"wrong type of {', '.join(wrong)}")
    try:
        return CollectionModels(**{"words": "", **known})
    except TypeError as error:
        raise ValueError(str(error)) from error


def require_same_models(remembered: CollectionModels, wanted: CollectionModels, location: str) -> None:
    """Refuse to mix the vectors of two models in one collection.

    A fingerprint counts only where both sides know it.

    Raises:
        StoreError: names both, and the two ways out.
    """
    differences = _differences(remembered, wanted)
    if differences:
        raise StoreError(
            f"The collection {location} was made with other models: {'; '.join(differences)}. "
            "Name the models it was made with, or choose another collection."
        )


def are_same_models(left: CollectionModels, right: CollectionModels) -> bool:
    """Whether vectors of both may stand in one collection."""
    return not _differences(left, right)


def current_models(remembered: CollectionModels, writing: CollectionModels) -> CollectionModels:
    """The models to remember once the chunker of `writing` has begun to write."""
    return replace(remembered, chunker=writing.chunker or remembered.chunker)


def _differences(remembered: CollectionModels, wanted: CollectionModels) -> list[str]:
    return [
        f"{what} {ours or 'unknown'!r}, asked for {theirs or 'unknown'!r}"
        for what, ours, theirs, decides in _pairs(remembered, wanted)
        if ours != theirs and decides
    ]


def _pairs(left: CollectionModels, right: CollectionModels) -> list[tuple[str, object, object, bool]]:
    return [
        ("dense model", left.dense, right.dense, True),
        ("dense dimensions", left.dense_dimensions, right.dense_dimensions, True),
        ("sparse model", left.sparse, right.sparse, True),
        ("token vectors", left.tokens, right.tokens, True),
        (
            f"weights of {left.dense}",
            left.dense_fingerprint,
            right.dense_fingerprint,
            bool(left.dense_fingerprint and right.dense_fingerprint),
        ),
        (
            f"weights of {left.sparse}",
            left.sparse_fingerprint,
            right.sparse_fingerprint,
            bool(left.sparse_fingerprint and right.sparse_fingerprint),
        ),
    ]
