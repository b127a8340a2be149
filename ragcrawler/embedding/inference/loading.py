"""Load models with fastembed: steps that dense and sparse models share."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragcrawler.embedding.protocol import EmbeddingError

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@contextmanager
def loading(name: str, folder: Path) -> Iterator[None]:
    """Raise an EmbeddingError that names model and folder for whatever goes wrong inside."""
    try:
        yield
    except EmbeddingError:
        raise
    except Exception as error:
        raise EmbeddingError(
            f"the model {name} in {folder} does not load ({type(error).__name__}: {error}):"
            " see that its files are whole (in a cache, delete them to get them anew) or choose another model"
        ) from error


def limit_input(model: Any, limit_tokens: int) -> None:
    """Cut a fastembed model's inputs at our limit; by itself it cuts where tokenizer_config.json says."""
    tokenizer: Tokenizer = model.tokenizer
    direction = (tokenizer.truncation or {}).get("direction", "right")
    tokenizer.enable_truncation(max_length=limit_tokens, direction=direction)
