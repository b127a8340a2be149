"""The collection as a retriever of LlamaIndex; the extra `llama-index`."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial

try:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ImportError as error:
    raise ImportError("llama-index-core is not installed: pip install 'ragcrawler[llama-index]'") from error

from ragcrawler.api.search import SearchHit, search
from ragcrawler.integrations.metadata import hit_metadata
from ragcrawler.retrieval import RetrievalMode
from ragcrawler.retrieval.passage import Context

_SHOWN_TO_MODELS = {"title", "section_path", "link"}


class RagcrawlerRetriever(BaseRetriever):
    """Searches a crawled collection; errors are `ragcrawler.RagcrawlerError`.

    Args:
        k: how many nodes at most.
        mode: "hybrid", "dense", "sparse" or "bm25".
        filters: conditions like "chunk_type=code".
        context: how many neighbours on each side are joined to a hit, or "section".
        settings: of ragcrawler, by their names.
    """

    def __init__(
        self,
        k: int = 5,
        *,
        mode: RetrievalMode = "hybrid",
        filters: Sequence[str] = (),
        context: Context = 0,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__()
        given = dict(settings or {})
        self._find = partial(search, k=k, mode=mode, filters=tuple(filters), context=context, settings=given)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [_node(hit) for hit in self._find(query_bundle.query_str)]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)


def _node(hit: SearchHit) -> NodeWithScore:
    node = TextNode(id_=hit.id, text=hit.text, metadata=hit_metadata(hit))
    # A model is shown where a text stands, not how it is stored or was ranked.
    node.excluded_llm_metadata_keys = [name for name in node.metadata if name not in _SHOWN_TO_MODELS]
    return NodeWithScore(node=node, score=hit.score)
