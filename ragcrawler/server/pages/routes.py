"""The pages and where they are."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import anyio
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from ragcrawler.server.api.endpoints import ENDPOINTS
from ragcrawler.server.api.handler import Handler, Workers, posted_form, query_form
from ragcrawler.server.pages.forms import CHUNKS_A_PAGE, HITS_A_PAGE, AskPageForm, PageForm, ReadForm
from ragcrawler.server.pages.rendering import STATIC_TYPES, render, static_file
from ragcrawler.server.services.ask import ask
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.documents import chunk, document_chunks, documents
from ragcrawler.server.services.errors import NotFoundError
from ragcrawler.server.services.forms import ChunkForm, ChunksForm, DocumentsForm
from ragcrawler.server.services.runs import run_page, run_report, runs
from ragcrawler.server.services.search import search
from ragcrawler.server.services.sites import site_names, sources, statistics
from ragcrawler.stores.ranking.words import words

_KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}
# The report is a page of its own, with its styles in it; it runs no script and reaches nothing.
_REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_NEIGHBOURS = 2


class Pages:
    """The handlers of the pages.

    Args:
        workers: run the services.
        counted: makes a handler one whose calls of the language model are bounded and counted.
    """

    def __init__(self, workers: Workers, counted: Callable[[Handler], Handler]) -> None:
        self._run = workers.run
        self._counted = counted

    def routes(self) -> Sequence[BaseRoute]:
        """What is where."""
        return [
            Route("/", self.search_page),
            Route("/ask", self.ask_page),
            Route("/ask", self._counted(self.answer_page), methods=["POST"]),
            Route("/document/{document_id}", self.document_page),
            Route("/chunk/{chunk_id}", self.chunk_page),
            Route("/sources", self.sources_page),
            Route("/documents", self.documents_page),
            Route("/runs", self.runs_page),
            Route("/runs/{name}", self.run_page),
            Route("/runs/{name}/report.html", self.report_page),
            Route("/api", self.api_page),
            Route("/static/{name}", self.static),
        ]

    async def search_page(self, request: Request) -> Response:
        form = query_form(PageForm, request)
        return await self._run(_hits if form.fragment else _search_page, form)

    async def ask_page(self, request: Request) -> Response:
        """Where one asks the language model; to look at it asks nothing."""
        form = query_form(AskPageForm, request)
        return await self._run(_ask_page, form)

    async def answer_page(self, request: Request) -> Response:
        """The answer of the language model: it may cost money, so only a form that is sent comes here."""
        form = await posted_form(AskPageForm, request)
        return await self._run(_answer_page, form, is_ask=True)

    async def document_page(self, request: Request) -> Response:
        form, document_id = query_form(ReadForm, request), request.path_params["document_id"]
        stretch = ChunksForm(start=form.start, limit=CHUNKS_A_PAGE)
        found = await self._run(document_chunks, document_id, stretch)
        previous = max(0, form.start - CHUNKS_A_PAGE) if form.start else None
        wanted = set(words(form.q))
        return await self._show("document.html", found=found, form=form, wanted=wanted, previous=previous)

    async def chunk_page(self, request: Request) -> Response:
        form, chunk_id = query_form(ReadForm, request), request.path_params["chunk_id"]
        found = await self._run(chunk, chunk_id, ChunkForm(context=_NEIGHBOURS))
        template = "neighbours.html" if form.fragment else "chunk.html"
        return await self._show(template, found=found, form=form, wanted=set(words(form.q)))

    async def sources_page(self, _: Request) -> Response:
        return await self._show("sources.html", sources=await self._run(sources))

    async def documents_page(self, request: Request) -> Response:
        form = query_form(DocumentsForm, request)
        return await self._show("documents.html", form=form, found=await self._run(documents, form))

    async def runs_page(self, _: Request) -> Response:
        return await self._show("runs.html", runs=(await self._run(runs)).runs)

    async def run_page(self, request: Request) -> Response:
        name = request.path_params["name"]
        run = await self._run(run_report, name)
        has_page = any(each.name == name and each.has_page for each in (await self._run(runs)).runs)
        return await self._show("run.html", run=run, has_page=has_page)

    async def report_page(self, request: Request) -> Response:
        page = await self._run(run_page, request.path_params["name"])
        return HTMLResponse(page, headers={"Content-Security-Policy": _REPORT_POLICY})

    async def api_page(self, request: Request) -> Response:
        return await self._show("api.html", endpoints=ENDPOINTS, address=str(request.base_url))

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in STATIC_TYPES:
            return await self._show("error.html", 404, title="Not found", message=str(NotFoundError(name)))
        return Response(static_file(name), media_type=STATIC_TYPES[name], headers=_KEPT)

    async def _show(self, template: str, status: int = 200, **values: Any) -> Response:
        """A page, made in a thread: long Markdown takes a while."""
        return await anyio.to_thread.run_sync(partial(render, template, status, **values))


def _hits(collection: ServedCollection, form: PageForm) -> Response:
    """The hits alone: searched and written in one go, for each change of threads costs as much as a word."""
    return render("results.html", **_shown(collection, form))


def _search_page(collection: ServedCollection, form: PageForm) -> Response:
    shown = _shown(collection, form)
    numbers = statistics(collection) if shown["result"] is None else None
    return render(
        "search.html",
        **shown,
        sites=site_names(collection),
        numbers=numbers,
        can_ask=collection.has_language_model,
    )


def _shown(collection: ServedCollection, form: PageForm) -> dict[str, Any]:
    result = search(collection, form.search_form()) if form.q.strip() else None
    return {"form": form, "result": result, "wanted": set(words(form.q)), "more": HITS_A_PAGE}


def _ask_page(collection: ServedCollection, form: AskPageForm) -> Response:
    """The page without an answer.

    Raises:
        NotFoundError: there is no language model.
    """
    _require_language_model(collection)
    return render("ask.html", form=form, answer=None)


def _answer_page(collection: ServedCollection, form: AskPageForm) -> Response:
    """The page with the answer; without a question it asks nothing.

    Raises:
        NotFoundError: there is no language model.
        InvalidRequestError, UnavailableError: see `ask`.
    """
    _require_language_model(collection)
    return render("ask.html", form=form, answer=ask(collection, form.ask_form()) if form.q.strip() else None)


def _require_language_model(collection: ServedCollection) -> None:
    if not collection.has_language_model:
        raise NotFoundError("No language model answers here: LLM_MODEL names none.")
