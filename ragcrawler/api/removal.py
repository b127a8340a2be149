"""`ragcrawler.remove`: pages and sites taken out of a collection, from a script or a notebook."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from ragcrawler.api.errors import RagcrawlerError
from ragcrawler.bootstrap.start_error import StartError, start_errors
from ragcrawler.catalogue import KeptOutEntry
from ragcrawler.config.defaults import project_settings
from ragcrawler.run import removal
from ragcrawler.run.removal import RemovalRequest, Removed

__all__ = ["KeptOutEntry", "Removed", "allow", "kept_out", "remove"]


def remove(
    *targets: str,
    document_ids: Sequence[str] = (),
    keep_out: bool = False,
    everywhere: bool = False,
    dry_run: bool = False,
    settings: Mapping[str, object] | None = None,
) -> Removed:
    """Take pages and sites out of a collection, with all that was kept of them.

    Args:
        targets: URLs of pages, paths of files, and domains as `crawl` takes them.
        document_ids: documents by their ids, as hits have them.
        keep_out: whether no crawl and no import may bring it back.
        everywhere: whether feeds of earlier runs and researches lose it too.
        dry_run: only say what would be removed.
        settings: settings by their names, `{"OUTPUT_DIR": "output/demo"}` say.

    Raises:
        RagcrawlerError: nothing is named, a target is none, another process writes to the collection, or a
            part of it could not be changed; what was begun is finished by the next call.
    """
    if not (targets or document_ids):
        raise RagcrawlerError("name what is to be removed: a URL, a domain, or document_ids")
    request = RemovalRequest(targets, tuple(document_ids), keeps_out=keep_out, everywhere=everywhere)
    with _one_error():
        return removal.remove(project_settings(**settings or {}), request, is_dry=dry_run)


def kept_out(*, settings: Mapping[str, object] | None = None) -> list[KeptOutEntry]:
    """What no crawl and no import may bring into a collection.

    Raises:
        RagcrawlerError: its catalogue cannot be read.
    """
    with _one_error():
        return list(removal.kept_out(project_settings(**settings or {})))


def allow(*targets: str, settings: Mapping[str, object] | None = None) -> int:
    """Let pages and sites in again; how many entries that were.

    Raises:
        RagcrawlerError: one of them is not kept out by an entry of its own.
    """
    with _one_error():
        return removal.allow(project_settings(**settings or {}), targets)


@contextmanager
def _one_error() -> Iterator[None]:
    try:
        with start_errors():
            yield
    except StartError as error:
        raise RagcrawlerError(str(error)) from error
