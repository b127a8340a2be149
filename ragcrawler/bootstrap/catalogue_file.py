"""Where the catalogue of a collection lies."""

import hashlib
from pathlib import Path

from ragcrawler.config.configuration import Configuration

_DIGITS = 8


def catalogue_file(configuration: Configuration) -> Path:
    """`OUTPUT_DIR/catalogue/<collection>.sqlite`.

    Collections of one name on a server, or in a folder of their own, are others: their file has a few digits
    of the place's hash in its name.
    """
    folder, store = configuration.output_folder / "catalogue", configuration.store
    if not store.url and store.folder == configuration.output_folder / "qdrant":
        return folder / f"{store.collection}.sqlite"
    place = store.url.rstrip("/") or str(store.folder.resolve())
    digits = hashlib.sha256(place.encode()).hexdigest()[:_DIGITS]
    return folder / f"{store.collection}-{digits}.sqlite"
