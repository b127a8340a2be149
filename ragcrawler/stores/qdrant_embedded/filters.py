"""Conditions as the embedded engine's filter."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ragcrawler.stores.filters import BOUNDS, Condition

if TYPE_CHECKING:
    import qdrant_edge as edge


def edge_filter(conditions: Sequence[Condition]) -> "edge.Filter | None":
    """All of the conditions, None for none."""
    import qdrant_edge as edge

    if not conditions:
        return None
    must = [_any_of(each) for each in conditions if each.operator != "!="]
    must_not = [_any_of(each) for each in conditions if each.operator == "!="]
    return edge.Filter(must=must or None, must_not=must_not or None)


def _any_of(condition: Condition) -> Any:
    import qdrant_edge as edge

    field, values = condition.field, [value for value in condition.values if value != ""]
    if condition.operator in BOUNDS:
        return edge.FieldCondition(field, range=_range(condition))
    if condition.operator == "~=":
        return edge.Filter(must=[_word(field, forms) for forms in condition.words])
    if condition.operator == "^=":
        alternatives: list[Any] = [edge.FieldCondition(field, match=edge.MatchPrefix(str(v))) for v in values]
    else:
        alternatives = [edge.FieldCondition(field, match=edge.MatchAny(values))] if values else []  # type: ignore[arg-type]  # all of one type
    if "" in condition.values:
        empty = edge.FieldCondition(field, match=edge.MatchValue(""))
        alternatives += [edge.IsEmptyCondition(field), empty]
    return alternatives[0] if len(alternatives) == 1 else edge.Filter(should=alternatives)


def _word(field: str, forms: Sequence[str]) -> Any:
    """A word in whichever case, or letters of one; scripts without spaces have no words."""
    import qdrant_edge as edge

    parts = [edge.FieldCondition(field, match=edge.MatchSubstring(each)) for each in forms]
    return edge.Filter(should=[edge.FieldCondition(field, match=edge.MatchText(forms[0])), *parts])


def _range(condition: Condition) -> Any:
    import qdrant_edge as edge

    bound = {BOUNDS[condition.operator]: condition.values[0]}
    return edge.RangeDateTime(**bound) if condition.is_date else edge.RangeFloat(**bound)  # type: ignore[arg-type]  # checked when read
