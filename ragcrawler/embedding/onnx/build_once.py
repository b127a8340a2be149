"""A folder that is made once: whole or not at all."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from ragcrawler.embedding.protocol import EmbeddingError


def build_once(target: Path, write: Callable[[Path], None], name: str) -> None:
    """Make a model's folder unless it is there.

    It appears by a rename: a half-made one is never used, and processes that make it at the same time do
    each other no harm.

    Args:
        target: the folder; its name holds a hash of what it is made from.
        write: fills a folder.
        name: of the model, for the message.

    Raises:
        EmbeddingError: the folder cannot be written.
    """
    if target.is_dir():
        return
    try:
        _build_beside(target, write)
    except OSError as error:
        raise EmbeddingError(
            f"the model {name} cannot be built in {target.parent} ({error}): choose a writable folder"
        ) from error


def _build_beside(target: Path, write: Callable[[Path], None]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=target.parent) as temporary:
        folder = Path(temporary) / target.name
        folder.mkdir()
        write(folder)
        try:
            folder.rename(target)
        except OSError:
            if not target.is_dir():  # else another process was faster, with the same content
                raise
