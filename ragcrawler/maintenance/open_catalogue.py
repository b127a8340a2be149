"""The catalogue of a collection that is looked at, whether or not it may be written."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ragcrawler.catalogue import DocumentCatalogue, SqliteCatalogue
from ragcrawler.catalogue.places import CatalogueFile, CataloguePlace
from ragcrawler.stores.disk.read_only import is_read_only, temporary_copy


@contextmanager
def open_catalogue(place: CataloguePlace, *, is_made: bool) -> Iterator[DocumentCatalogue]:
    """The catalogue of a place; of a file that may not be written a copy, with its log.

    Args:
        place: its own.
        is_made: whether it is made where it is not there; else an empty one in memory stands for it.

    Raises:
        CatalogueError: it cannot be opened.
        OSError: it cannot be copied.
    """
    with ExitStack() as stack:
        if isinstance(place, CatalogueFile):
            place = CatalogueFile(stack.enter_context(_writable(place.path)))
        is_there = is_made or place.exists()
        yield stack.enter_context(place.open() if is_there else SqliteCatalogue(None))


@contextmanager
def _writable(path: Path) -> Iterator[Path]:
    if not (path.exists() and is_read_only(path, path.parent)):
        yield path
        return
    log = path.with_name(f"{path.name}-wal")
    with temporary_copy(each for each in (path, log) if each.exists()) as folder:
        yield Path(folder) / path.name
