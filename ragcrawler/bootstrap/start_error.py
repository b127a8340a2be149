"""A crawl or a search that cannot begin."""

from collections.abc import Iterator
from contextlib import contextmanager

from ragcrawler.catalogue import CatalogueError
from ragcrawler.config.errors import SettingError
from ragcrawler.conversion.isolation import ForkServerFailed
from ragcrawler.embedding.protocol import EmbeddingError
from ragcrawler.frontier.states.sqlite import FrontierStateError
from ragcrawler.llm import LanguageModelError
from ragcrawler.stores import StoreError


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
    except (
        SettingError,
        EmbeddingError,
        StoreError,
        CatalogueError,
        ForkServerFailed,
        LanguageModelError,
        FrontierStateError,
    ) as error:
        raise StartError(str(error)) from error
    except OSError as error:
        raise StartError(f"{error.filename or 'a file'} cannot be used: {error.strerror or error}") from error
