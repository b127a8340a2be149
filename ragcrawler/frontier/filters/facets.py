"""Detects faceted navigation: parameter combinations without end."""

from ragcrawler.frontier.states.protocol import Notes, key64

# Under this a path's queries may be what they like.
_FREE = 100
# A parameter with more values than this names things: no filter has as many.
_MAX_VALUES = 5000
_QUERIES = "facet"
_VALUES = "facet_values"


class Facets:
    """Tells combinations of filters from queries that name things.

    Where one parameter names a thing (`?forum=2&topic=4711&page=3`), a path has about as many URLs as that
    parameter has values. Where a few values are combined (`?colour=red&size=l&sort=price`), it has many times
    more.

    Args:
        per_value: URLs of one path for each value of its most varied parameter.
        notes: remember what was seen of each path.
    """

    def __init__(self, per_value: int, notes: Notes) -> None:
        self._per_value = per_value
        self._notes = notes

    def admits(self, key: str, query: str) -> bool:
        """Whether to take one more URL of its path; what was taken is taken again.

        Args:
            key: the URL's key.
            query: its query, of two parameters or more.
        """
        path = key[: -len(query)]
        limit = max(_FREE, self._per_value * self._most_values(path, query))
        return self._notes.add_member(_QUERIES, key64(path), key64(key), limit)

    def _most_values(self, path: str, query: str) -> int:
        """Enter the values; the size of the most varied parameter of the path."""
        for piece in query.split("&"):
            name, _, value = piece.partition("=")
            parameter = key64(f"{path}?{name}")
            self._notes.add_member(_VALUES, parameter, key64(value), _MAX_VALUES)
            self._notes.raise_to(_VALUES, key64(path), self._notes.size(_VALUES, parameter))
        return self._notes.counter(_VALUES, key64(path))
