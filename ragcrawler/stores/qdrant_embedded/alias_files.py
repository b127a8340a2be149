"""Aliases of embedded collections: a small file points a name at another collection's folder.

`.<name>.alias` holds the name of the collection that is meant; it wins over a folder `<name>`. One rename
puts it in place, so at any moment, killed or not, a name means the old collection or the new one. A symbolic
link could not take the place of the folder that bears the name at first in one step.
"""

import re
from pathlib import Path

from ragcrawler.stores.disk.durable_file import sync_folder, write_durably
from ragcrawler.stores.errors import StoreError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def collection_folder(folder: Path, name: str) -> Path:
    """The folder of the collection that bears this name, aliases aside.

    Raises:
        StoreError: the name cannot be a folder's.
    """
    if not _NAME.fullmatch(name):
        raise StoreError(
            f"{name!r} cannot name a collection: use letters, digits, '.', '_' and '-', at most 128."
        )
    return folder / name


def resolve_folder(folder: Path, name: str) -> Path:
    """The folder of the collection that the name means; it need not be there.

    Raises:
        StoreError: the name cannot be a folder's, or means a collection that is gone.
    """
    file = alias_file(folder, name)
    try:
        target = file.read_text(encoding="utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        return collection_folder(folder, name)
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(
            f"Cannot read the alias {str(file)!r}: {error}. Remove it, or make it readable."
        ) from error
    if not _NAME.fullmatch(target) or not (folder / target).is_dir():
        raise StoreError(
            f"The name {name!r} means the collection {target!r}, which is not in {str(folder)!r}. Remove the "
            f"file {str(file)!r}, or let the name mean another collection: `scrapy reindex --into NAME "
            "--only-switch`."
        )
    return folder / target


def set_alias(folder: Path, name: str, target: str) -> None:
    """Point a name at the collection of `target`; its own name removes the alias.

    Raises:
        StoreError: there is no such collection.
        OSError: the folder cannot be written.
    """
    meant = collection_folder(folder, name) if target == name else resolve_folder(folder, target)
    if not meant.is_dir():
        raise StoreError(f"There is no collection {target!r} in {str(folder)!r}.")
    if meant == collection_folder(folder, name):
        alias_file(folder, name).unlink(missing_ok=True)
        sync_folder(folder)
    else:
        write_durably(alias_file(folder, name), f"{meant.name}\n")


def alias_file(folder: Path, name: str) -> Path:
    """Where the alias of a name is kept."""
    return collection_folder(folder, name).with_name(f".{name}.alias")
