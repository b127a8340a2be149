"""`CollectionAliases` of a folder of embedded collections."""

from pathlib import Path

from ragcrawler.stores.qdrant_embedded.alias_files import collection_folder, resolve_folder, set_alias
from ragcrawler.stores.qdrant_embedded.folder import engine_errors, remove_collection
from ragcrawler.stores.qdrant_embedded.folder_lock import FolderLock, lock_file


class EmbeddedAliases:
    """`CollectionAliases` of the embedded engine's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def resolve(self, name: str) -> str:
        return resolve_folder(self._folder, name).name

    def require_switchable(self, name: str) -> None:
        """See `CollectionAliases`; every name is."""

    def switch(self, name: str, target: str) -> None:
        with engine_errors(f"let {name!r} mean {target!r} in", self._folder):
            set_alias(self._folder, name, target)

    def drop(self, collection: str) -> None:
        path = collection_folder(self._folder, collection)
        lock = FolderLock(lock_file(path), f"The collection {str(path)!r}")
        try:
            remove_collection(path)
        finally:
            lock.release()
