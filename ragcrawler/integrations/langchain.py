"""The collection as a retriever of LangChain; the extra `langchain`."""

import asyncio
from typing import Any

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
except ImportError as error:
    raise ImportError("langchain-core is not installed: pip install 'ragcrawler[langchain]'") from error

from ragcrawler.api.search import SearchHit, search
from ragcrawler.integrations.metadata import hit_metadata
from ragcrawler.retrieval import RetrievalMode
from ragcrawler.retrieval.passage import Context


class RagcrawlerRetriever(BaseRetriever):
    """Searches a crawled collection; errors are `ragcrawler.RagcrawlerError`.

    Attributes:
        k: how many documents at most.
        mode: "hybrid", "dense", "sparse" or "bm25".
        filters: conditions like "chunk_type=code".
        context: how many neighbours on each side are joined to a hit, or "section".
        settings: of ragcrawler, by their names.
    """

    k: int = 5
    mode: RetrievalMode = "hybrid"
    filters: tuple[str, ...] = ()
    context: Context = 0
    settings: dict[str, Any] = {}  # noqa: RUF012 - pydantic copies it

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain's signature
        k: int | None = None,
    ) -> list[Document]:
        return self._find(query, k)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain's signature
        k: int | None = None,
    ) -> list[Document]:
        return await asyncio.to_thread(self._find, query, k)

    def _find(self, query: str, k: int | None) -> list[Document]:
        hits = search(
            query,
            self.k if k is None else k,
            mode=self.mode,
            filters=self.filters,
            context=self.context,
            settings=self.settings,
        )
        return [_document(hit) for hit in hits]


def _document(hit: SearchHit) -> Document:
    return Document(id=hit.id, page_content=hit.text, metadata=hit_metadata(hit))
