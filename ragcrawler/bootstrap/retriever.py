"""A retriever over the configured collection."""

from collections.abc import Callable, Mapping

from ragcrawler.bootstrap.models.owner_embedders import QuestionEmbedders, question_embedders
from ragcrawler.bootstrap.models.rerankers import open_expander, open_reranker
from ragcrawler.bootstrap.start_error import StartError, start_errors
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.config.models.search import search_options
from ragcrawler.retrieval import CollectionRetriever
from ragcrawler.stores import ChunkStore, CollectionModels, open_store


def open_retriever(**settings: object) -> CollectionRetriever:
    """Open the collection for questions; the models that it remembers are loaded when one wants them.

    Where `scrapy serve` owns the collection, that process embeds the questions, and none is loaded here.

    Args:
        settings: settings by their names, `OUTPUT_DIR="output/demo"` say; they win over `settings.py`
            and the environment.

    Returns:
        a retriever; `.search(query, k)` gives hits that unpack as `(chunk, score)`. It holds the collection
        until it is closed: use it as a context, or call `.close()`. Its first question raises StartError
        where a model is not available.

    Raises:
        StartError: a setting is wrong, there is no such collection, or another process holds it.
    """
    return open_retriever_with(question_embedders, settings)


def open_retriever_with(
    open_embedders: Callable[[Configuration, ChunkStore, CollectionModels], QuestionEmbedders],
    settings: Mapping[str, object],
) -> CollectionRetriever:
    """See `open_retriever`.

    Args:
        open_embedders: opens those of the collection's models.
        settings: by their names.
    """
    with start_errors():
        values = project_settings(**settings)
        configuration = Configuration.from_settings(values)
        options = search_options(values)
        reranker = open_reranker(values, configuration.embedding)
        expander = open_expander(values)
        store = open_store(configuration.store)
        try:
            dense, sparse = open_embedders(configuration, store, _require_models(store))
        except BaseException:
            store.close()
            raise
    return CollectionRetriever(store, dense, sparse, reranker=reranker, expander=expander, options=options)


def _require_models(store: ChunkStore) -> CollectionModels:
    remembered = store.models()
    if remembered is None:
        raise StartError(
            f"there is no collection at {store.location}; fill one with "
            "`scrapy crawl seeds -a domains=...`, or name another with QDRANT_COLLECTION"
        )
    return remembered
