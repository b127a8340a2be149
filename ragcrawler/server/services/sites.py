"""The sites in the collection, and the collection in numbers."""

from ragcrawler import __version__
from ragcrawler.catalogue import DocumentCatalogue
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.errors import UnavailableError
from ragcrawler.server.services.results import (
    HealthResult,
    ModelsResult,
    SiteResult,
    SourcesResult,
    StatisticsResult,
)


def sources(collection: ServedCollection) -> SourcesResult:
    """The sites that have documents.

    Raises:
        UnavailableError: the catalogue cannot be read.
    """
    totals = collection.with_catalogue(lambda catalogue: catalogue.site_totals())
    return SourcesResult(
        sites=[
            SiteResult(
                site=each.site,
                documents=each.documents,
                chunks=each.chunks,
                last_fetched=each.last_fetched,
                missing=each.missing,
            )
            for each in totals
        ]
    )


def site_names(collection: ServedCollection) -> list[str]:
    """The sites that have documents, in order.

    Raises:
        UnavailableError: the catalogue cannot be read.
    """
    return collection.with_catalogue(lambda catalogue: catalogue.sites())


def site_prefix(collection: ServedCollection, site: str) -> str:
    """How the URLs of a site begin: with https, unless its first document has another scheme."""

    def scheme(catalogue: DocumentCatalogue) -> str:
        first = next(iter(catalogue.documents(site)), None)
        return first.url.partition("://")[0] if first else "https"

    return f"{collection.with_catalogue(scheme)}://{site}/"


def statistics(collection: ServedCollection) -> StatisticsResult:
    """How much there is, and which models find it.

    Raises:
        UnavailableError: store or catalogue cannot be read.
    """
    models = collection.store.models()
    totals = sources(collection).sites
    return StatisticsResult(
        collection=collection.configuration.store.collection,
        chunks=collection.store.count() if models else 0,
        documents=sum(each.documents for each in totals),
        sites=len(totals),
        models=ModelsResult(
            dense=models.dense, dense_dimensions=models.dense_dimensions, sparse=models.sparse
        )
        if models
        else None,
        language_model=has_language_model(collection),
    )


def has_language_model(collection: ServedCollection) -> bool:
    """Whether questions can be asked of a language model."""
    try:
        return collection.language_model is not None
    except UnavailableError:
        return False


def health(collection: ServedCollection) -> HealthResult:
    """Whether the collection can be searched; the store has to answer for it."""
    return HealthResult(status="ok" if collection.store.models() else "empty", version=__version__)
