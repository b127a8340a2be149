"""Which models the settings lead to: for `scrapy doctor`, and for whoever asks before a crawl."""

from ragcrawler.config.configuration import Configuration
from ragcrawler.embedding.model_status import ModelStatus, model_statuses
from ragcrawler.stores import CollectionModels


def configured_models(
    configuration: Configuration, remembered: CollectionModels | None = None
) -> tuple[ModelStatus, ModelStatus]:
    """The dense and the sparse model of a crawl: which, where from, whether it is here, what to do if not.

    A new collection asks the hub, within HUB_TIMEOUT_SECONDS, unless its models are cached.

    Args:
        configuration: names the models, and says where they lie.
        remembered: the models of an existing collection; None for a new one.
    """
    names = (remembered.dense, remembered.sparse) if remembered else None
    return model_statuses(
        configuration.dense_model, configuration.sparse_model, names, configuration.embedding
    )
