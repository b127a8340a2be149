"""The retriever for LangChain, with LangChain's own tests of retrievers."""

from pathlib import Path
from typing import Any

import pytest
from langchain_tests.integration_tests import RetrieversIntegrationTests

from ragcrawler import RagcrawlerError
from ragcrawler.integrations.langchain import RagcrawlerRetriever
from tests.server.library import HANDBOOK, fill, settings


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    output = tmp_path_factory.mktemp("library")
    fill(output)
    return settings(output)


class TestRagcrawlerRetriever(RetrieversIntegrationTests):
    """Invoked with `k` given to it and to a call, and asynchronously."""

    @pytest.fixture(autouse=True)
    def use_library(self, library: dict[str, Any]) -> None:
        self._library = library

    @property
    def retriever_constructor(self) -> type[RagcrawlerRetriever]:
        return RagcrawlerRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"settings": self._library}

    @property
    def retriever_query_example(self) -> str:
        return "how are the logs rotated?"


async def test_a_document_says_where_it_stands(library: dict[str, Any]) -> None:
    retriever = RagcrawlerRetriever(k=1, filters=("chunk_type=text",), settings=library)
    for (document,) in (retriever.invoke("rotate logs"), await retriever.ainvoke("rotate logs")):
        assert document.page_content.startswith("Rotate the logs")
        assert document.id == document.metadata["chunk_ids"][0]
        told = {name: document.metadata[name] for name in ("link", "source_url", "title", "section_path")}
        assert told == {
            "link": f"{HANDBOOK}#logs",
            "source_url": HANDBOOK,
            "title": "Handbook",
            "section_path": ["Guide", "Logs"],
        }
        assert document.metadata["score"] > 0


def test_a_collection_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RagcrawlerError, match="there is no collection"):
        RagcrawlerRetriever(settings=settings(tmp_path)).invoke("logs")
