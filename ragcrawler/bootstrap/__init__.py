"""From settings to working parts."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragcrawler.bootstrap.models.text_vectors import generate_embedding
    from ragcrawler.bootstrap.retriever import open_retriever
    from ragcrawler.bootstrap.start_error import StartError

__all__ = ["StartError", "generate_embedding", "open_retriever"]

# Imported when asked for: the workers that convert pages import this package, and need none of it.
_MODULES = {
    "StartError": "start_error",
    "generate_embedding": "models.text_vectors",
    "open_retriever": "retriever",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
