"""Taking pages and sites out of the collection: for whoever has the server's token."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

from ragcrawler.bootstrap.start_error import StartError
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.errors import InvalidRequestError, UnavailableError
from ragcrawler.server.services.forms import AllowForm, RemoveForm
from ragcrawler.server.services.results import AllowResult, KeptOutResult, RemovalResult, clean


def remove_pages(collection: ServedCollection, form: RemoveForm) -> RemovalResult:
    """Remove pages and sites, or say what would be removed.

    An embedded collection is written through the socket of this very process, as by any other: so no crawl
    writes meanwhile.

    Raises:
        InvalidRequestError: nothing is named, or a target is none.
        UnavailableError: another process writes to the collection, or a part of it cannot be changed.
    """
    from ragcrawler.run.removal import RemovalRequest, remove  # it loads Scrapy, which no search needs

    request = RemovalRequest(
        tuple(form.targets), tuple(form.documents), keeps_out=form.keep_out, everywhere=form.everywhere
    )
    if not (request.targets or request.document_ids):
        raise InvalidRequestError("Name what is to be removed: `targets`, or `documents`.")
    with _removal_errors():
        removed = remove(collection.settings, request, is_dry=form.dry_run)
    return RemovalResult.model_validate(clean(asdict(removed)))


def list_kept_out(collection: ServedCollection) -> KeptOutResult:
    """What no crawl and no import may bring.

    Raises:
        UnavailableError: the catalogue cannot be read.
    """
    from ragcrawler.run.removal import kept_out

    with _removal_errors():
        entries = kept_out(collection.settings)
    return KeptOutResult.model_validate({"entries": clean([asdict(each) for each in entries])})


def allow_pages(collection: ServedCollection, form: AllowForm) -> AllowResult:
    """Let pages and sites in again.

    Raises:
        InvalidRequestError: one of them is not on the list.
        UnavailableError: the catalogue cannot be changed.
    """
    from ragcrawler.run.removal import allow

    with _removal_errors():
        return AllowResult(allowed=allow(collection.settings, form.targets))


@contextmanager
def _removal_errors() -> Iterator[None]:
    from ragcrawler.run.removal import TargetError

    try:
        yield
    except TargetError as error:
        raise InvalidRequestError(str(error)) from error
    except StartError as error:
        raise UnavailableError(str(error)) from error
