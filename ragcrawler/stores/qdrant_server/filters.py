"""Conditions as a Qdrant server's filter."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ragcrawler.stores.filters import BOUNDS, Condition, moment

if TYPE_CHECKING:
    from qdrant_client import models


def server_filter(conditions: Sequence[Condition]) -> "models.Filter | None":
    """All of the conditions, None for none."""
    from qdrant_client import models

    if not conditions:
        return None
    must = [_any_of(each) for each in conditions if each.operator != "!="]
    must_not = [_any_of(each) for each in conditions if each.operator == "!="]
    return models.Filter(must=must or None, must_not=must_not or None)


def _any_of(condition: Condition) -> Any:
    from qdrant_client import models

    field, values = condition.field, [value for value in condition.values if value != ""]
    if condition.operator in BOUNDS:
        return models.FieldCondition(key=field, range=_range(condition))
    if condition.operator == "~=":
        # By a server before 1.20 they may be parts of words; from then on case does not count.
        return models.Filter(
            must=[
                models.Filter(
                    should=[
                        models.FieldCondition(key=field, match=models.MatchText(text=each)) for each in forms
                    ]
                )
                for forms in condition.words
            ]
        )
    if condition.operator == "^=":
        matches: list[Any] = [models.MatchPrefix(prefix=str(value)) for value in values]
    else:
        matches = [_equal(values)] if values else []
    alternatives: list[Any] = [models.FieldCondition(key=field, match=match) for match in matches]
    if "" in condition.values:
        missing = models.IsEmptyCondition(is_empty=models.PayloadField(key=field))
        alternatives += [missing, models.FieldCondition(key=field, match=models.MatchValue(value=""))]
    return alternatives[0] if len(alternatives) == 1 else models.Filter(should=alternatives)


def _equal(values: Sequence[str | int]) -> Any:
    from qdrant_client import models

    if len(values) == 1:
        return models.MatchValue(value=values[0])
    return models.MatchAny(any=list(values))  # type: ignore[arg-type]  # all of one type


def _range(condition: Condition) -> Any:
    from qdrant_client import models

    value = condition.values[0]
    if condition.is_date:
        return models.DatetimeRange(**{BOUNDS[condition.operator]: moment(value)})
    return models.Range(**{BOUNDS[condition.operator]: float(value)})
