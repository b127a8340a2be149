"""The `tokenizer.json` of a model by its name at the hub, without the model."""

import re
from pathlib import Path

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.hub.models import HubModel, find_hub_model
from ragcrawler.embedding.protocol import EmbeddingError

_FILE = "tokenizer.json"
_NAME = re.compile(r"\w[\w.-]*/[\w.-]+")


def is_hub_name(name: str) -> bool:
    """Whether it can be a model at the hub, "BAAI/bge-base-en-v1.5", and is no file or folder here."""
    return _NAME.fullmatch(name) is not None and not name.endswith(".json") and not Path(name).exists()


def hub_limit_tokens(name: str) -> int | None:
    """The most tokens that the model reads, special tokens included; None where it is unknown here."""
    model = find_hub_model(name, "dense")
    return model.description.limit_tokens if model else None


def hub_tokenizer(name: str, config: EmbeddingConfig) -> Path:
    """The file, of a cache where one has it, else fetched from the hub.

    Raises:
        EmbeddingError: it is in no cache, and cannot be fetched.
    """
    model = find_hub_model(name, "dense")
    found = _cached(name, model, config)
    if found is not None:
        return found
    caches = ", ".join(str(each) for each in config.hub_cache_dirs)
    if config.offline:
        raise EmbeddingError(f"the tokenizer of {name} is in no cache ({caches}), and HF_HUB_OFFLINE is set")
    from huggingface_hub import hf_hub_download

    try:
        return Path(
            hf_hub_download(
                name,
                _FILE,
                cache_dir=config.hub_cache_dirs[0],
                endpoint=config.hub_endpoint,
                etag_timeout=config.hub_timeout_seconds,
            )
        )
    except Exception as error:  # its transport's errors have no common base
        raise EmbeddingError(
            f"the tokenizer of {name} is in no cache ({caches}), and could not be fetched from"
            f" {config.hub_endpoint} ({type(error).__name__}: {error}): give the path of a tokenizer.json"
        ) from error


def _cached(name: str, model: HubModel | None, config: EmbeddingConfig) -> Path | None:
    """Of the model itself, or of the copy of it that fastembed runs; the hub's own cache comes last."""
    from huggingface_hub import try_to_load_from_cache

    for repository in (name, model.repository) if model else (name,):
        for cache_dir in (*config.hub_cache_dirs, None):
            path = try_to_load_from_cache(repository, _FILE, cache_dir=cache_dir)
            if isinstance(path, str):
                return Path(path)
    return None
