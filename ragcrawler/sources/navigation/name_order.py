"""The order of files that no navigation names: by position in front matter, then by name."""

import re
from collections.abc import Mapping
from typing import Any

# Docusaurus, Just the Docs, Hugo.
_POSITIONS = ("sidebar_position", "nav_order", "weight")
_FIRST = ("index", "readme", "_index")
_DIGITS = re.compile(r"(\d+)")

Key = tuple[tuple[float, int, tuple[tuple[int, int, str], ...]], ...]


def position_of(values: Mapping[str, Any]) -> float | None:
    """The place that front matter or a `_category_.json` asks for, None where it asks for none."""
    for name in (*_POSITIONS, "position"):
        value = values.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and value == value:  # noqa: PLR0124 - NaN
            return float(value)
    return None


def order_key(path: str, positions: Mapping[str, float]) -> Key:
    """The key to sort a path by: a folder's index first, numbers in names as numbers, positions before names.

    Args:
        path: relative, with slashes.
        positions: path of a file or folder to the place it asks for.
    """
    names = path.split("/")
    return tuple(
        _name_key(name, positions.get("/".join(names[: index + 1])), is_file=index == len(names) - 1)
        for index, name in enumerate(names)
    )


def _name_key(name: str, position: float | None, *, is_file: bool) -> Any:
    stem = name.rpartition(".")[0] or name
    rank = 0 if is_file and stem.lower() in _FIRST else 1
    parts = tuple(
        (0, int(part), "") if part.isdecimal() and len(part) < 19 else (1, 0, part.casefold())  # noqa: PLR2004 - fits
        for part in _DIGITS.split(name)
        if part
    )
    place = float("-inf") if not rank and position is None else float("inf") if position is None else position
    return (place, rank, parts)
