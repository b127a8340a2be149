"""A collection that cannot be read any more, made anew: empty, to be filled from the texts of its catalogue.

A damaged one is tried in another process: where a file was cut, the engine dies of the first access to
what is mapped behind its end.
"""

import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from ragcrawler.bootstrap.catalogue_place import catalogue_place
from ragcrawler.bootstrap.models.collection_embedders import collection_models, open_collection_embedders
from ragcrawler.bootstrap.models.vector_cache import open_vector_cache
from ragcrawler.bootstrap.start_error import StartError
from ragcrawler.config.configuration import Configuration
from ragcrawler.stores import ChunkStore, CollectionModels, StoreConfig, StoreError, open_store
from ragcrawler.stores.errors import StoreDamagedError
from ragcrawler.stores.qdrant_embedded.folder import remembered_models, set_aside
from ragcrawler.stores.qdrant_embedded.location import EmbeddedLocation

_UNREADABLE = 3


def make_readable(configuration: Configuration, *, needs_texts: bool) -> str:
    """Put an empty collection where one is gone or cannot be read; in words, what was done, "" for nothing.

    What cannot be read is renamed and stays. `scrapy verify --repair` then finds all chunks missing.

    Args:
        configuration: of the collection.
        needs_texts: refuse where the catalogue has no texts to fill it from.

    Raises:
        StartError: it is on a server, another process has it, or there are no texts to make it from.
        EmbeddingError: it does not say its models, and those of the settings are not available.
    """
    if configuration.store.resolved_kind != "edge":
        raise StartError("--rebuild is for embedded collections; a server mends its own: use --repair")
    collection = EmbeddedLocation(configuration.store.folder, configuration.store.collection)
    reason = _unreadable(configuration.store) if collection.path.exists() else "it is gone"
    if not reason:
        return ""
    if needs_texts:
        _require_texts(configuration, reason)
    remembered, done = None, f"The collection {collection.location!r} is made anew: {reason}."
    if collection.path.exists():
        collection.acquire()
        try:
            remembered = remembered_models(collection.path)
            done += (
                f" What was there is kept as {str(set_aside(collection.path))!r}; remove it when all is well."
            )
        finally:
            collection.release()
    # By its own name: the one that is configured may be an alias of it.
    with open_store(replace(configuration.store, collection=collection.path.name)) as store:
        _create(configuration, store, remembered)
    return done


def _require_texts(configuration: Configuration, reason: str) -> None:
    place = catalogue_place(configuration)
    count = 0
    if place.exists():
        with place.open() as catalogue:
            count = catalogue.count()
    if not count:
        raise StartError(
            f"the collection cannot be rebuilt ({reason}): there are no texts in {str(place)!r}; move it "
            "away and crawl again"
        )


def _create(configuration: Configuration, store: ChunkStore, remembered: CollectionModels | None) -> None:
    if remembered is None:
        with closing(open_vector_cache(configuration)) as cache:
            embedders = open_collection_embedders(configuration, None, cache)
            remembered = collection_models(embedders)
            embedders.close()
    store.create(remembered)


def _unreadable(config: StoreConfig) -> str:
    """Why the collection cannot be read, "" where it can.

    Raises:
        StartError: another process has it, or it cannot be looked at for another reason.
    """
    command = [sys.executable, "-m", __name__, str(config.folder), config.collection]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - this module
    if tried.returncode < 0:
        return f"the engine dies of it by {signal.Signals(-tried.returncode).name}"
    if tried.returncode == _UNREADABLE:
        return tried.stdout.strip()
    if tried.returncode:
        raise StartError((tried.stdout or tried.stderr).strip())
    return ""


def _read_all(folder: str, collection: str) -> int:
    """Read every point, and say what goes wrong."""
    try:
        with open_store(StoreConfig(folder=Path(folder), collection=collection, kind="edge")) as store:
            for _ in store.points():
                pass
    except StoreDamagedError as error:
        sys.stdout.write(f"{error.reason}\n")
        return _UNREADABLE
    except StoreError as error:
        sys.stdout.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_read_all(*sys.argv[1:]))
