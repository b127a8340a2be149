"""The retriever for LlamaIndex."""

from typing import Any

import pytest

from ragcrawler.integrations.llama_index import RagcrawlerRetriever
from tests.server.library import HANDBOOK, fill, settings


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    output = tmp_path_factory.mktemp("library")
    fill(output)
    return settings(output)


async def test_a_node_says_where_it_stands(library: dict[str, Any]) -> None:
    retriever = RagcrawlerRetriever(1, filters=["chunk_type=text"], settings=library)
    for (found,) in (retriever.retrieve("rotate logs"), await retriever.aretrieve("rotate logs")):
        assert found.node.get_content().startswith("Rotate the logs")
        assert found.node.node_id == found.metadata["chunk_ids"][0]
        assert (found.metadata["source"], found.metadata["url"]) == (f"{HANDBOOK}#logs", HANDBOOK)
        assert found.metadata["section_path"] == ["Guide", "Logs"]
        assert found.score == found.metadata["score"]


def test_a_model_is_shown_source_title_and_section_alone(library: dict[str, Any]) -> None:
    from llama_index.core.schema import MetadataMode

    (found,) = RagcrawlerRetriever(1, settings=library).retrieve("rotate logs")
    shown = found.node.get_content(metadata_mode=MetadataMode.LLM)
    assert f"source: {HANDBOOK}#logs" in shown
    assert "score" not in shown


def test_k_bounds_the_nodes(library: dict[str, Any]) -> None:
    assert len(RagcrawlerRetriever(3, settings=library).retrieve("logs")) == 3
