"""The retriever for LlamaIndex."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.library import HANDBOOK, fill, settings

if TYPE_CHECKING:
    from ragcrawler.integrations.llama_index import RagcrawlerRetriever


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    output = tmp_path_factory.mktemp("library")
    fill(output)
    return settings(output)


@pytest.fixture
def retriever_of(library: dict[str, Any]) -> "Callable[..., RagcrawlerRetriever]":
    # Importing LlamaIndex takes a second, which the processes that run other tests need not.
    from ragcrawler.integrations.llama_index import RagcrawlerRetriever

    return partial(RagcrawlerRetriever, settings=library)


async def test_a_node_says_where_it_stands(retriever_of: "Callable[..., RagcrawlerRetriever]") -> None:
    retriever = retriever_of(1, filters=["chunk_type=text"])
    for (found,) in (retriever.retrieve("rotate logs"), await retriever.aretrieve("rotate logs")):
        assert found.node.get_content().startswith("Rotate the logs")
        assert found.node.node_id == found.metadata["chunk_ids"][0]
        assert (found.metadata["link"], found.metadata["source_url"]) == (f"{HANDBOOK}#logs", HANDBOOK)
        assert found.metadata["section_path"] == ["Guide", "Logs"]
        assert found.score == found.metadata["score"]


def test_a_model_is_shown_link_title_and_section_alone(
    retriever_of: "Callable[..., RagcrawlerRetriever]",
) -> None:
    from llama_index.core.schema import MetadataMode

    (found,) = retriever_of(1).retrieve("rotate logs")
    shown = found.node.get_content(metadata_mode=MetadataMode.LLM)
    assert f"link: {HANDBOOK}#logs" in shown
    assert shown.count(HANDBOOK) == 1
    assert "score" not in shown


def test_k_bounds_the_nodes(retriever_of: "Callable[..., RagcrawlerRetriever]") -> None:
    assert len(retriever_of(3).retrieve("logs")) == 3
