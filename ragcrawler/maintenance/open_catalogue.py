"""The catalogue of a collection that is looked at, whether or not it may be written."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ragcrawler.catalogue import DocumentCatalogue
from ragcrawler.stores.disk.read_only import is_read_only, temporary_copy


@contextmanager
def open_catalogue(path: Path, *, is_made: bool) -> Iterator[DocumentCatalogue]:
    """The catalogue in a file; of one that may not be written a copy, with its log.

    Args:
        path: its file.
        is_made: whether it is made where it is not there; else an empty one in memory stands for it.

    Raises:
        CatalogueError: it cannot be opened.
        OSError: it cannot be copied.
    """
    with ExitStack() as stack:
        if path.exists() and is_read_only(path, path.parent):
            log = path.with_name(f"{path.name}-wal")
            copy = temporary_copy(each for each in (path, log) if each.exists())
            path = Path(stack.enter_context(copy)) / path.name
        is_there = path.exists() or is_made
        yield stack.enter_context(DocumentCatalogue(path if is_there else None))
