"""One page in a navigation."""

from dataclasses import dataclass, field

# A navigation is written by people; what is bigger is none.
MAX_BYTES = 4 * 1024 * 1024
MAX_ENTRIES = 100_000
MAX_LEVELS = 32


@dataclass(frozen=True, slots=True)
class NavigationEntry:
    """A page that a navigation names.

    Attributes:
        path: of the file, relative to the folder that is read.
        title: "" where the navigation gives none.
    """

    path: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Navigation:
    """The pages that a navigation names, in its order.

    Attributes:
        entries: each page once.
        files: the navigation's own files in the folder, which are no documents.
        warnings: what could not be read, one sentence each.
    """

    entries: tuple[NavigationEntry, ...] = ()
    files: frozenset[str] = field(default_factory=frozenset)
    warnings: tuple[str, ...] = ()


class NavigationError(ValueError):
    """A navigation that cannot be read; says why."""
