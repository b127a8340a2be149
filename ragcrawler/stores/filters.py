"""Filters: conditions on payload fields, read and checked before an engine sees them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Literal

from ragcrawler.items import ChunkExtra, SemanticChunk
from ragcrawler.stores.errors import StoreError

Operator = Literal["=", "!=", "^=", "~=", ">=", "<=", ">", "<"]
Filters = Mapping[str, str] | Sequence[str]
"""Equalities by field, or conditions as `Condition.read` reads them."""

_WRITTEN = re.compile(r"([\w.]+)(!=|\^=|~=|>=|<=|=|>|<)(.*)", re.DOTALL)
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,18}")  # what fits the engines' 64 bits
_NOT_FILTERED = {"headers", "extra", "embed_text", "vectors", "is_continuation"}
_RANGES = {">=", "<=", ">", "<"}
_WORD = re.compile(r"[^\W_]+")

Kind = Literal["text", "number", "date", "flag"]
_KINDS: Mapping[object, Kind] = {int: "number", bool: "flag"}
PAYLOAD_KINDS: Mapping[str, Kind] = {
    **{field.name: _KINDS.get(field.type, "text") for field in fields(SemanticChunk)},
    **{f"extra.{field.name}": _KINDS.get(field.type, "text") for field in fields(ChunkExtra)},
    "section_path_list": "text",
    "fetched_at": "date",
}

BOUNDS = {">=": "gte", "<=": "lte", ">": "gt", "<": "lt"}
"""The engine's names of the range operators."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a payload field.

    Attributes:
        field: its name; a list holds what any of its members does.
        operator: "=" is one of the values, "!=" none of them, "^=" begins with one, "~=" has all words of it;
            the others compare.
        values: at least one, all of the field's type; "" stands for a field that is empty or missing.
    """

    field: str
    operator: Operator
    values: tuple[str | int, ...]

    @property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """The words of its values, each as it is given and in small, first and all capital letters.

        Engines compare parts of a text letter by letter.
        """
        written = [word for value in self.values for word in _WORD.findall(str(value))]
        return tuple(
            tuple(dict.fromkeys((word, word.lower(), word.capitalize(), word.upper()))) for word in written
        )

    @property
    def is_date(self) -> bool:
        """Whether its values are times, ISO 8601, of which a date alone means its first moment."""
        return PAYLOAD_KINDS[self.field] == "date"


def read_filters(filters: Filters | None) -> tuple[Condition, ...]:
    """The conditions, all of which must hold; equalities on one field become one: any of its values.

    Raises:
        StoreError: a condition cannot be read, no payload field has its name, or a value does not fit it.
    """
    written = (
        [(field, "=", value) for field, value in filters.items()]
        if isinstance(filters, Mapping)
        else [_part(each) for each in filters or ()]
    )
    conditions: dict[object, Condition] = {}
    for number, (field, operator, value) in enumerate(written):
        condition = _check(field, operator, value)
        key = field if operator == "=" else number
        earlier = conditions.get(key)
        values = (*earlier.values, *condition.values) if earlier else condition.values
        conditions[key] = replace(condition, values=values)
    return tuple(conditions.values())


def moment(value: object) -> datetime | None:
    """The time that an ISO 8601 text names, in UTC where it names no zone; None for anything else."""
    try:
        time = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _part(written: str) -> tuple[str, str, str]:
    parts = _WRITTEN.fullmatch(written)
    if not parts:
        raise StoreError(
            f"The filter {written!r} is not FIELD=VALUE; chunk_type=code would be right, and so would "
            "chunk_type!=code, source_url^=https://docs.example/, section_path_list~=logs or position>=3."
        )
    return parts[1], parts[2], parts[3]


def _check(field: str, operator: str, value: str) -> Condition:
    if field in _NOT_FILTERED or field not in PAYLOAD_KINDS:
        known = ", ".join(sorted(PAYLOAD_KINDS.keys() - _NOT_FILTERED))
        raise StoreError(
            f"Cannot filter by {field!r}: there is no such field of text or numbers, only {known}."
        )
    kind = PAYLOAD_KINDS[field]
    wrong = _complaint(kind, operator, value)
    if wrong:
        raise StoreError(f"Cannot filter by {field}{operator}{value!r}: {wrong}.")
    if kind == "flag":
        return Condition(field, "!=" if value == "true" else "=", ("",))
    return Condition(field, operator, (int(value) if kind == "number" and value else value,))  # type: ignore[arg-type]  # of _WRITTEN


def _complaint(kind: Kind, operator: str, value: str) -> str:
    """The error of a value, "" for a valid one. A flag is stored only where it is set."""
    if kind == "flag":
        return "" if operator == "=" and value in {"true", "false"} else "the field is =true or =false"
    if value == "":
        return "" if operator in {"=", "!="} else "there is nothing to compare with"
    complaints = (
        (operator == "~=" and not (kind == "text" and _WORD.search(value)), "it wants a word, and a text"),
        (
            kind == "number" and (operator == "^=" or not _WHOLE_NUMBER.fullmatch(value)),
            "the field holds a whole number",
        ),
        (
            kind == "text" and operator in _RANGES,
            "the field holds text, which is compared by =, !=, ^= and ~= only",
        ),
        (
            kind == "date" and operator in _RANGES and moment(value) is None,
            "the field holds a time, 2026-01-31 or 2026-01-31T12:00:00+00:00 say",
        ),
    )
    return next((complaint for is_wrong, complaint in complaints if is_wrong), "")
