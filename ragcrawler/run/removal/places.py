"""The places where a document leaves traces: a new place is a row."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace

from ragcrawler.bootstrap.catalogue_place import catalogue_place
from ragcrawler.bootstrap.preparation import picture_folder
from ragcrawler.catalogue.places import CatalogueFile
from ragcrawler.config.crawling.response_cache import CacheConfig
from ragcrawler.config.models.research import ledger_path
from ragcrawler.embedding.protocol import EmbeddingError
from ragcrawler.frontier.filters.kept_out import KeptOut
from ragcrawler.llm.calls.ledger import CallLedger
from ragcrawler.retrieval.formatting.printable import printable
from ragcrawler.run.indexing.synchronise import DocumentWrite, synchronise
from ragcrawler.run.pages.response_store import ResponseStore
from ragcrawler.run.removal.feeds import take_lines
from ragcrawler.run.removal.place import LeftError, Place, Premises, Taking, rewrite_file
from ragcrawler.run.removal.request import covered_documents
from ragcrawler.run.removal.researches import take_facts
from ragcrawler.run.removal.saved_crawls import PENDING, take_pending
from ragcrawler.run.summaries.open import ACCOUNT
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError


def _take_vectors(premises: Premises, taking: Taking) -> int:
    """Of the texts as they are stored; by other models, or of earlier texts, they go with their age."""
    catalogue, path = premises.catalogue, premises.configuration.cache_path
    texts = [each.embed_text for record in taking.documents for each in catalogue.chunks(record.document_id)]
    if not (texts and premises.store.models() and path.exists()):
        return 0
    try:
        embedders = premises.embedders
    except EmbeddingError as error:
        raise LeftError(f"vectors in {path}: {error}") from error
    dense = embedders.dense.forget(texts, is_dry=taking.is_dry)
    return dense + embedders.sparse.forget(texts, is_dry=taking.is_dry)


def _take_summaries(premises: Premises, taking: Taking) -> int:
    """The answers of a language model that became summaries of passages; what they cost stays counted."""
    path = ledger_path(premises.settings, premises.configuration.output_folder)
    catalogue = premises.catalogue
    chunks = (each for record in taking.documents for each in catalogue.chunks(record.document_id))
    summaries = {chunk.summary for chunk in chunks} - {""}
    if not (summaries and path.exists()):
        return 0
    with closing(CallLedger(path)) as ledger:
        return ledger.forget(
            lambda answer: _summary(answer) in summaries, account=ACCOUNT, is_dry=taking.is_dry
        )


def _take_pictures(premises: Premises, taking: Taking) -> int:
    output = premises.configuration.output_folder
    folders = [output / picture_folder(record.document_id) for record in taking.documents]
    count = sum(len(list(folder.iterdir())) for folder in folders if folder.is_dir())
    if not taking.is_dry:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=not folder.exists())
    return count


def _take_points(premises: Premises, taking: Taking) -> int:
    """Durably, before the catalogue forgets them: else nothing would ever delete them."""
    store = premises.store
    if store.models() is None:
        return 0
    ids = [each for record in taking.documents for each in store.embed_hashes(record.document_id)]
    if ids and not taking.is_dry:
        store.delete(ids)
        store.flush()
    return len(ids)


def _take_records(premises: Premises, taking: Taking) -> int:
    if not taking.is_dry:
        premises.catalogue.take_out(taking.documents)
    return len(taking.documents)


def _take_aliases(premises: Premises, taking: Taking) -> int:
    """Addresses that other documents name as theirs: their texts were found there too."""
    catalogue, store = premises.catalogue, premises.store
    found: dict[str, list[str]] = {}
    going = {each.document_id for each in covered_documents(catalogue, taking.covered)}
    for document_id, url in catalogue.aliases():
        if document_id not in going and taking.covered.covers(url):
            found.setdefault(document_id, []).append(url)
    for document_id, urls in found.items() if not taking.is_dry else ():
        catalogue.remove_aliases(urls)
        record, chunks = catalogue.get(document_id), catalogue.chunks(document_id)
        if record is not None and chunks and not record.is_unfinished:
            renamed = tuple(replace(chunk, aliases=record.aliases) for chunk in chunks)
            synchronise(store, catalogue, [DocumentWrite(record, renamed)])
    return sum(map(len, found.values()))


def _take_responses(premises: Premises, taking: Taking) -> int:
    path = CacheConfig.from_settings(premises.settings).path
    if not path.exists():
        return 0
    try:
        with closing(ResponseStore(path)) as responses:
            return responses.remove(lambda page: _is_covered(taking.covered, page), is_dry=taking.is_dry)
    except sqlite3.Error as error:
        raise LeftError(f"cached responses in {path}: {error}") from error


def _erase_summaries(premises: Premises) -> None:
    rewrite_file(ledger_path(premises.settings, premises.configuration.output_folder))


def _erase_points(premises: Premises) -> None:
    if premises.store.models() is not None:
        premises.store.erase()


def _erase_records(premises: Premises) -> None:
    place = catalogue_place(premises.configuration)
    if isinstance(place, CatalogueFile):
        rewrite_file(place.path)


def _erase_responses(premises: Premises) -> None:
    rewrite_file(CacheConfig.from_settings(premises.settings).path)


PLACES_OF_DOCUMENTS = (
    Place("vectors in the cache", _take_vectors),
    Place("summaries in the ledger of calls", _take_summaries, _erase_summaries),
    Place("pictures", _take_pictures),
    Place("chunks", _take_points, _erase_points),
    Place("documents", _take_records, _erase_records),
)
"""What is found by documents, in this order: the record, which leads to all of it, goes last."""

PLACES_OF_URLS = (
    Place("other addresses of documents that stay", _take_aliases),
    Place("cached responses", _take_responses, _erase_responses),
    Place(PENDING, take_pending),
)
"""What is found by URLs."""

ELSEWHERE: tuple[Callable[[Premises, Taking], Mapping[str, int]], ...] = (take_lines, take_facts)
"""Where texts were carried to, by name: removed where that is asked for, and named else."""


def _summary(answer: str) -> str:
    """The summary in an answer, as a chunk has it; "" where there is none."""
    try:
        found = json.loads(answer)["summary"]
    except (ValueError, KeyError, TypeError):
        return ""
    return " ".join(printable(found).split()) if isinstance(found, str) else ""


def _is_covered(covered: KeptOut, url: str) -> bool:
    try:
        return covered.covers(canonical_url(url))
    except UrlError:
        return False
