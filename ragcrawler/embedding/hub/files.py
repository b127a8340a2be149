"""A hub model's files: in the cache, or fetched into it."""

import logging
from pathlib import Path

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.hub.models import HubModel
from ragcrawler.embedding.onnx.model_folder import ModelFolder
from ragcrawler.embedding.protocol import EmbeddingError

_logger = logging.getLogger(__name__)
_NEEDED = ("tokenizer.json", "tokenizer_config.json")


def cached_folder(model: HubModel, config: EmbeddingConfig) -> ModelFolder | None:
    """The model's folder in the first cache that holds all of it; None where none does."""
    from huggingface_hub import try_to_load_from_cache

    for cache_dir in config.hub_cache_dirs:
        found = [
            try_to_load_from_cache(model.repository, name, cache_dir=cache_dir)
            for name in (*model.model_files, *_NEEDED)
        ]
        if all(isinstance(path, str) for path in found):
            return ModelFolder(Path(str(found[-1])).parent, model.description.name, model.model_files[0])
    return None


def fetched_folder(model: HubModel, config: EmbeddingConfig) -> ModelFolder:
    """The model's folder, fetched from the hub unless it is cached.

    Raises:
        EmbeddingError: it is neither cached nor can it be fetched.
    """
    if found := cached_folder(model, config):
        return found
    name, place = model.description.name, config.hub_cache_dirs[0]
    from huggingface_hub import snapshot_download

    _logger.info("Fetching the model %s from %s into %s, once", name, config.hub_endpoint, place)

    try:
        path = snapshot_download(
            model.repository,
            cache_dir=place,
            endpoint=config.hub_endpoint,
            etag_timeout=config.hub_timeout_seconds,
            allow_patterns=list(model.files),
        )
    except Exception as error:  # its transport's errors have no common base
        raise EmbeddingError(
            f"the model {name} could not be fetched from {config.hub_endpoint}"
            f" ({type(error).__name__}: {error}):"
            " give access to the hub, copy the model into the cache, or choose another model"
        ) from error
    return ModelFolder(Path(path), name, model.model_files[0])
