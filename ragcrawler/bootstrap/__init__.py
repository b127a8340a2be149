"""From settings to working parts."""

from typing import TYPE_CHECKING

from ragcrawler.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from ragcrawler.bootstrap.models.text_vectors import generate_embedding
    from ragcrawler.bootstrap.retriever import open_retriever
    from ragcrawler.bootstrap.start_error import StartError

__all__ = ["StartError", "generate_embedding", "open_retriever"]

# The workers that convert pages import this package, and need none of it.
__getattr__ = lazy_exports(
    __name__,
    {
        "StartError": "start_error",
        "generate_embedding": "models.text_vectors",
        "open_retriever": "retriever",
    },
)
