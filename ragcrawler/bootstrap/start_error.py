"""A crawl or a search that cannot begin."""

from collections.abc import Iterator
from contextlib import contextmanager


class StartError(Exception):
    """A part could not be opened; the message says which, why, and the next step."""


@contextmanager
def start_errors() -> Iterator[None]:
    """Turn what the parts say when they cannot be opened into one kind of error.

    Raises:
        StartError: one of them could not be opened.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, _errors_of_parts()):
            raise StartError(str(error)) from error
        if isinstance(error, OSError):
            reason = error.strerror or error
            raise StartError(f"{error.filename or 'a file'} cannot be used: {reason}") from error
        raise


def _errors_of_parts() -> tuple[type[Exception], ...]:
    """Imported when something went wrong: a search needs neither a frontier nor workers."""
    from ragcrawler.catalogue import CatalogueError
    from ragcrawler.config.errors import SettingError
    from ragcrawler.conversion.isolation import ForkServerFailed
    from ragcrawler.embedding.protocol import EmbeddingError
    from ragcrawler.frontier.states.sqlite import FrontierStateError
    from ragcrawler.llm.protocol import LanguageModelError
    from ragcrawler.stores import StoreError

    return (
        SettingError,
        EmbeddingError,
        StoreError,
        CatalogueError,
        ForkServerFailed,
        LanguageModelError,
        FrontierStateError,
    )
