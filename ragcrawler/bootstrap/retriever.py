"""A retriever over the configured collection."""

from ragcrawler.bootstrap.configuration import Configuration
from ragcrawler.bootstrap.defaults import project_settings
from ragcrawler.bootstrap.models import open_models
from ragcrawler.bootstrap.start_error import StartError, start_errors
from ragcrawler.retrieval import CollectionRetriever
from ragcrawler.stores import ChunkStore, CollectionModels, open_store


def open_retriever(**settings: object) -> CollectionRetriever:
    """Open the collection and the models that it remembers, for questions.

    Args:
        settings: settings by their names, `OUTPUT_DIR="output/demo"` say; they win over `settings.py`
            and the environment.

    Returns:
        a retriever; `.search(query, k)` gives hits that unpack as `(chunk, score)`. It holds the collection
        until it is closed: use it as a context, or call `.close()`.

    Raises:
        StartError: a setting is wrong, there is no such collection, another process holds it, or its models
            cannot be had.
    """
    with start_errors():
        configuration = Configuration.from_settings(project_settings(**settings))
        store = open_store(configuration.store)
        try:
            embedders = open_models(configuration, _remembered(store)).embedders
        except BaseException:
            store.close()
            raise
    return CollectionRetriever(store, embedders.dense, embedders.sparse)


def _remembered(store: ChunkStore) -> CollectionModels:
    remembered = store.models()
    if remembered is None:
        raise StartError(
            f"there is no collection at {store.location}; fill one with "
            "`scrapy crawl seeds -a domains=...`, or name another with QDRANT_COLLECTION"
        )
    return remembered
