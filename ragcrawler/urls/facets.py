"""Filters that can be combined: a shop of a hundred things has a million lists of them."""

from dataclasses import dataclass, field

# Under this a path's queries may be what they like.
_FREE = 100
# A parameter with more values than this names things: no filter has as many.
_MAX_VALUES = 5000


@dataclass(slots=True)
class _Path:
    """What was seen of one path; all hashed."""

    queries: set[int] = field(default_factory=set)
    values: dict[str, set[int]] = field(default_factory=dict)


class Facets:
    """Tells combinations of filters from queries that name things.

    Where one parameter names a thing (`?forum=2&topic=4711&page=3`), a path has about as many URLs as that
    parameter has values. Where a few values are combined (`?colour=red&size=l&sort=price`), it has many times
    more.

    Args:
        per_value: URLs of one path for each value of its most varied parameter.
    """

    def __init__(self, per_value: int) -> None:
        self._per_value = per_value
        self._paths: dict[int, _Path] = {}

    def admits(self, key: str, query: str) -> bool:
        """Whether to take one more URL of its path; what was taken is taken again.

        Args:
            key: the URL's key.
            query: its query, of two parameters or more.
        """
        path = self._paths.setdefault(hash(key[: -len(query)]), _Path())
        varied = _note(path, query)
        if hash(key) in path.queries:
            return True
        if len(path.queries) >= max(_FREE, self._per_value * varied):
            return False
        path.queries.add(hash(key))
        return True


def _note(path: _Path, query: str) -> int:
    """Enter the values; how many the most varied parameter has."""
    for piece in query.split("&"):
        name, _, value = piece.partition("=")
        seen = path.values.setdefault(name, set())
        if len(seen) < _MAX_VALUES:
            seen.add(hash(value))
    return max(map(len, path.values.values()))
