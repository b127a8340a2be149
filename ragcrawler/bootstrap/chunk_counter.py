"""The counter of a chunk's tokens where it is not the embedding model's tokenizer (`CHUNK_TOKENIZER`)."""

import hashlib
from importlib.metadata import version
from pathlib import Path

from ragcrawler.chunking import open_counter
from ragcrawler.chunking.sizing.tiktoken_counter import PREFIX
from ragcrawler.config.errors import SettingError
from ragcrawler.embedding.config import EmbeddingConfig

_FILE = "tokenizer.json"


def local_tokenizer(name: str, config: EmbeddingConfig) -> str:
    """The name as `open_counter` takes it: a model's name at the hub becomes a path.

    Raises:
        EmbeddingError: the tokenizer of that model is not available.
    """
    from ragcrawler.embedding.hub.tokenizers import hub_tokenizer, is_hub_name

    return str(hub_tokenizer(name, config)) if is_hub_name(name) else name


def checked_tokenizer(name: str, config: EmbeddingConfig) -> str:
    """The same for the setting, tried; "" where none is set.

    Raises:
        SettingError: it counts nothing.
        EmbeddingError: the tokenizer of a model at the hub is not available.
    """
    if not name:
        return ""
    found = local_tokenizer(name, config)
    try:
        open_counter(found)
    except (OSError, ValueError, ImportError) as error:
        expected = f"tiktoken:ENCODING, a tokenizer.json or a model at the hub; {error}"
        raise SettingError("CHUNK_TOKENIZER", name, expected) from error
    return found


def tokenizer_fingerprint(name: str) -> str:
    """The inputs on which its counts depend."""
    if name.startswith(PREFIX):
        return f"{name} {version('tiktoken')}"
    path = Path(name)
    file = path / _FILE if path.is_dir() else path
    return hashlib.sha256(file.read_bytes()).hexdigest()
