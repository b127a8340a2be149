"""Conditions held against a payload in this process, as the engines hold them."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ragcrawler.stores.filters import Condition, moment

_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


def payload_matches(payload: Mapping[str, Any], conditions: Sequence[Condition]) -> bool:
    return all(_holds(_members(payload, each.field), each) for each in conditions)


def _members(payload: Mapping[str, Any], field: str) -> list[Any]:
    """The values of a field: the members of a list, a single value, or none where the field is missing."""
    value: Any = payload
    for key in field.split("."):
        value = value.get(key)
        if value is None:
            return []
    return list(value) if isinstance(value, list) else [value]


def _holds(members: list[Any], condition: Condition) -> bool:
    if condition.operator in _COMPARED:
        return any(_compares(member, condition) for member in members)
    if condition.operator == "^=":
        return any(str(member).startswith(str(value)) for member in members for value in condition.values)
    if condition.operator == "~=":
        text = "\n".join(map(str, members)).casefold()
        return all(forms[0].casefold() in text for forms in condition.words)
    empty = "" in condition.values and not any(member != "" for member in members)
    found = empty or any(member in condition.values for member in members)
    return found is (condition.operator == "=")


def _compares(member: Any, condition: Condition) -> bool:
    compare = _COMPARED[condition.operator]
    if not condition.is_date:
        return compare(member, condition.values[0])
    time = moment(member)
    return time is not None and compare(time, moment(condition.values[0]))
