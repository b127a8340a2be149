"""Where the catalogue of a collection is: in PostgreSQL, or in a file."""

import hashlib
import re
import socket
from pathlib import Path

from ragcrawler.catalogue.places import CatalogueFile, CataloguePlace, CatalogueSchema
from ragcrawler.config.configuration import Configuration
from ragcrawler.postgres.waiting import Patience

_DIGITS = 8
_NAME_CHARACTERS = 40  # a name in PostgreSQL has at most 63


def catalogue_place(configuration: Configuration, patience: Patience | None = None) -> CataloguePlace:
    """The place of the catalogue that the settings say.

    Args:
        configuration: of the collection.
        patience: with a database that is away; without it a wait cannot be interrupted.
    """
    address = configuration.postgres
    if address is None:
        return CatalogueFile(catalogue_file(configuration))
    patience = patience or Patience(configuration.upkeep.store_wait_seconds)
    return CatalogueSchema(address, _schema(configuration), patience)


def catalogue_file(configuration: Configuration) -> Path:
    """`OUTPUT_DIR/catalogue/<collection>.sqlite`.

    Collections of one name on a server, or in a folder of their own, are others: their file has a few digits
    of the place's hash in its name.
    """
    folder, store = configuration.output_folder / "catalogue", configuration.store
    if not store.url and store.folder == configuration.output_folder / "qdrant":
        return folder / f"{store.collection}.sqlite"
    place = store.url.rstrip("/") or str(store.folder.resolve())
    return folder / f"{store.collection}-{_digits(place)}.sqlite"


def _schema(configuration: Configuration) -> str:
    """`catalogue_<collection>_<digits>`; the digits tell collections of one name in several places apart.

    All machines that share a collection have to write its address in the same way. An embedded collection is
    one of this machine.
    """
    store = configuration.store
    place = store.url.rstrip("/") or f"{socket.gethostname()}:{store.folder.resolve()}"
    name = re.sub(r"\W", "_", store.collection, flags=re.ASCII)[:_NAME_CHARACTERS]
    return f"catalogue_{name}_{_digits(f'{place} {store.collection}')}"


def _digits(place: str) -> str:
    return hashlib.sha256(place.encode()).hexdigest()[:_DIGITS]
