"""Probe of the collection: catalogue and store open, know the same, and give back what was put in."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from string import hexdigits

from ragcrawler.bootstrap.catalogue_place import catalogue_place
from ragcrawler.catalogue import CatalogueError, DocumentCatalogue, DocumentRecord
from ragcrawler.config.configuration import Configuration
from ragcrawler.maintenance.doctor.finding import Finding, unused
from ragcrawler.maintenance.doctor.models import model_statuses_of
from ragcrawler.maintenance.open_catalogue import open_catalogue
from ragcrawler.maintenance.verification.facts import PointFacts
from ragcrawler.maintenance.verification.faults import Fault, document_faults
from ragcrawler.stores import ChunkStore, CollectionModels, StoreBusyError, StoreError, open_store

LEAST_SECONDS = 60.0
_SAMPLED_DOCUMENTS = 16
_SAMPLED_CHUNKS = 64  # of a document
_REBUILD = "`scrapy verify --rebuild` makes the collection anew from the texts of its catalogue"
_REPAIR = "`scrapy verify --repair` mends it"


def collection(settings: Mapping[str, object], seconds: float) -> Finding:
    """Look in a process of its own: where a file was cut, the engine dies of the access behind its end."""
    given = json.dumps(dict(settings), default=str, skipkeys=True)
    limit = max(seconds, LEAST_SECONDS)
    try:
        looked = subprocess.run(  # noqa: S603 - this module
            [sys.executable, "-m", __name__, str(seconds)],
            input=given,
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Finding("failed", f"it cannot be read within {limit:g} s", "look at it by scrapy verify")
    if looked.returncode < 0:
        name = signal.Signals(-looked.returncode).name
        return Finding("failed", f"the engine dies of it by {name}", _REBUILD)
    if looked.returncode:
        said = looked.stderr.strip().splitlines()
        return Finding("failed", said[-1] if said else "it cannot be looked at", "this is a fault of ours")
    return Finding(**json.loads(looked.stdout.splitlines()[-1]))


def look(settings: Mapping[str, object], seconds: float) -> Finding:
    """What is there, or what is wrong with it."""
    configuration = Configuration.from_settings(settings)
    with ExitStack() as stack:
        try:
            place = catalogue_place(configuration)
            catalogue = stack.enter_context(open_catalogue(place, is_made=False))
            store = stack.enter_context(open_store(configuration.store))
            return _compared(_Looked(settings, seconds, catalogue, store))
        except CatalogueError as error:
            return Finding("failed", f"the catalogue: {error}", "see docs/index.md")
        except StoreBusyError as error:
            return Finding(
                "warning", f"not looked at: {str(error).partition(';')[0]}", "ask again when it has ended"
            )
        except StoreError as error:
            return Finding("failed", f"the store: {error}", _REBUILD)


@dataclass(frozen=True, slots=True)
class _Looked:
    """What is looked at, and how."""

    settings: Mapping[str, object]
    seconds: float
    catalogue: DocumentCatalogue
    store: ChunkStore


def _compared(looked: _Looked) -> Finding:
    models, totals = looked.store.models(), looked.catalogue.site_totals()
    documents, known = sum(each.documents for each in totals), sum(each.chunks for each in totals)
    if models is None and not documents:
        return unused("there is none yet: the first crawl makes it")
    if models is None:
        found = f"the catalogue has {documents:,} documents, and the store is gone"
        return Finding("failed", found, _REBUILD)
    points = looked.store.count()
    if points != known:
        found = f"the store has {points:,} passages, and the catalogue knows {known:,}"
        return Finding("warning", found, f"{_REPAIR}; where a crawl was killed, the same crawl goes on")
    statuses = model_statuses_of(looked.settings, looked.seconds, (models.dense, models.sparse))
    if missing := [each for each in statuses if not each.is_available]:
        return Finding("failed", f"its model {missing[0]}", "searches and crawls need it: docs/embedding.md")
    found = f"{documents:,} documents, {points:,} passages, {models.dense} and {models.sparse}"
    return _sampled(looked, models, found)


def _sampled(looked: _Looked, models: CollectionModels, found: str) -> Finding:
    read, faults = 0, list[Fault]()
    for record in _sample(looked.catalogue):
        points = list(looked.store.points([each.id for each in record.chunks]))
        facts = [PointFacts.of(point, models) for point in points]
        faults += document_faults(record, facts, lambda: ())
        read += len(points)
    if not faults:
        return Finding("ok", f"{found}; {read} passages were read back as they had been written")
    first = faults[0]
    found += f"; {len(faults)} faults among {read} of them, the first: {first.kind} of {first.url}"
    return Finding("failed", found, _REPAIR)


def _sample(catalogue: DocumentCatalogue) -> Iterator[DocumentRecord]:
    """Whole documents from all over the catalogue, each with its first chunks."""
    if catalogue.count() <= _SAMPLED_DOCUMENTS:
        records = list(catalogue.documents())
    else:  # ids are hashes: so many begin with each digit
        found = (next(iter(catalogue.documents(after=digit)), None) for digit in hexdigits[:16])
        records = [record for record in found if record is not None]
    for record in records:
        if not record.is_unfinished:
            yield replace(record, chunks=record.chunks[:_SAMPLED_CHUNKS])


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asdict(look(json.load(sys.stdin), float(sys.argv[1])))) + "\n")
