"""The API: what can be asked, and which service answers."""

from ragcrawler.server.api.endpoint import Endpoint
from ragcrawler.server.services import forms, results
from ragcrawler.server.services.ask import ask
from ragcrawler.server.services.documents import chunk, document, document_chunks, documents
from ragcrawler.server.services.removal import allow_pages, list_kept_out, remove_pages
from ragcrawler.server.services.runs import run_report, runs
from ragcrawler.server.services.search import search
from ragcrawler.server.services.sites import health, sources, statistics

NOT_FOUND = 404

ENDPOINTS = (
    Endpoint("/api/search", search, results.SearchResult, "Search the collection", forms.SearchForm),
    Endpoint(
        "/api/ask",
        ask,
        results.AnswerResult,
        "Have the language model answer, with checked quotes; the one request that can cost money",
        forms.AskForm,
        method="POST",
    ),
    Endpoint("/api/documents", documents, results.DocumentsResult, "List the documents", forms.DocumentsForm),
    Endpoint(
        "/api/documents/{document_id}",
        document,
        results.DocumentResult,
        "The record of a document",
        errors=(NOT_FOUND,),
    ),
    Endpoint(
        "/api/documents/{document_id}/chunks",
        document_chunks,
        results.ChunksResult,
        "A stretch of a document, chunk by chunk",
        forms.ChunksForm,
        errors=(NOT_FOUND,),
    ),
    Endpoint(
        "/api/chunks/{chunk_id}",
        chunk,
        results.PassageResult,
        "A chunk with its neighbours",
        forms.ChunkForm,
        errors=(NOT_FOUND,),
    ),
    Endpoint("/api/sources", sources, results.SourcesResult, "The sites in the collection"),
    Endpoint("/api/runs", runs, results.RunsResult, "The latest runs that have a report"),
    Endpoint(
        "/api/runs/{name}",
        run_report,
        results.RunReportResult,
        "The report of a run",
        errors=(NOT_FOUND,),
    ),
    Endpoint(
        "/api/remove",
        remove_pages,
        results.RemovalResult,
        "Take pages and sites out of the collection, and keep them out; only of a server with a token",
        forms.RemoveForm,
        method="POST",
        is_of_operator=True,
    ),
    Endpoint(
        "/api/kept-out",
        list_kept_out,
        results.KeptOutResult,
        "What no crawl and no import may bring; only of a server with a token",
        is_of_operator=True,
    ),
    Endpoint(
        "/api/allow",
        allow_pages,
        results.AllowResult,
        "Let pages and sites in again that are kept out; only of a server with a token",
        forms.AllowForm,
        method="POST",
        is_of_operator=True,
    ),
    Endpoint("/api/stats", statistics, results.StatisticsResult, "The collection in numbers"),
    Endpoint("/health", health, results.HealthResult, "Whether the collection can be searched"),
)
