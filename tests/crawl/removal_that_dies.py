"""A removal in a process of its own, which is killed right behind one of its steps."""

import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ragcrawler.catalogue.postgres.catalogue import PostgresCatalogue
from ragcrawler.catalogue.sqlite.catalogue import SqliteCatalogue
from ragcrawler.config.defaults import project_settings
from ragcrawler.run.removal import RemovalRequest, remove
from ragcrawler.run.removal.places import ELSEWHERE, PLACES_OF_DOCUMENTS, PLACES_OF_URLS
from ragcrawler.stores.qdrant_embedded.store import QdrantEdgeStore
from ragcrawler.stores.qdrant_server.store import QdrantServerStore

PLACES = (*PLACES_OF_DOCUMENTS, *PLACES_OF_URLS)
STEPS = (
    "begin_removal",
    *(place.name for place in PLACES_OF_DOCUMENTS),
    "delete",
    *(place.name for place in PLACES_OF_URLS),
    *(take.__name__ for take in ELSEWHERE),
    *(f"erasing {name}" for name in ("chunks", "documents", "cached responses")),
    "end_removal",
)
"""In which it can die; a place that is added to the tables comes in by itself."""


def main() -> None:
    """Remove what the second argument names, and die behind the step that the third one names."""
    settings, target, step = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3]
    steps = sys.modules["ragcrawler.run.removal.remove"]

    def mortal(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def do(*values: Any, **named: Any) -> Any:
            result = call(*values, **named)
            if name == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return do

    def mortals(places: Any) -> Any:
        return tuple(
            replace(each, take=mortal(each.name, each.take), erase=mortal(f"erasing {each.name}", each.erase))
            for each in places
        )

    for kind in (SqliteCatalogue, PostgresCatalogue):
        for name in ("begin_removal", "end_removal"):
            setattr(kind, name, mortal(name, getattr(kind, name)))
    for store in (QdrantEdgeStore, QdrantServerStore):
        store.delete = mortal("delete", store.delete)  # type: ignore[method-assign]
    documents, urls = mortals(PLACES_OF_DOCUMENTS), mortals(PLACES_OF_URLS)
    vars(steps).update(PLACES_OF_DOCUMENTS=documents, PLACES_OF_URLS=urls, _PLACES=(*documents, *urls))
    vars(steps).update(ELSEWHERE=tuple(mortal(take.__name__, take) for take in ELSEWHERE))
    remove(project_settings(**settings), RemovalRequest((target,), keeps_out=True, everywhere=True))


if __name__ == "__main__":
    main()
