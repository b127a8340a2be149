"""The examples of specification 004, as they stand there; what they leave open is filled in around them."""

import json
from typing import Any, Dict, List, Protocol, Tuple  # noqa: UP035  # as the specification writes it

import pytest

from ragcrawler.bootstrap import StartError, generate_embedding
from ragcrawler.chunking import chunk_by_section
from ragcrawler.retrieval import BM25Index, Retriever, SearchIndex, VectorIndex

REPORT = """\
# Annual report

## Software
Incident INC-2023-Q4-011 was closed by the software team.
## Medicine
The clinical trial of XDR-47 goes on.
## Finance
Revenue grew by a fifth.
"""
TOPICS = ("software incident", "medicine clinical trial", "finance revenue money")


def topic_embedding(chunks):
    """How much of each topic is in a text; a text alone gives its vector, a list one each."""
    if isinstance(chunks, str):
        return [sum(word in chunks.lower() for word in topic.split()) + 0.01 for topic in TOPICS]
    return [topic_embedding(chunk) for chunk in chunks]


class SimpleIndex:
    def __init__(self):
        self.docs = []

    def add_document(self, document: Dict[str, Any]) -> None:  # noqa: UP006
        self.docs.append(document)

    def add_documents(self, documents: List[Dict[str, Any]]) -> None:  # noqa: UP006
        self.docs.extend(documents)

    def search(self, query: str, k: int = 1):
        # Returns documents containing the query in their text
        results = [(doc, 1.0) for doc in self.docs if query.lower() in doc["text"].lower()]
        return results[:k]


class SpecifiedIndex(Protocol):
    def add_document(self, document: Dict[str, Any]) -> None: ...  # noqa: UP006
    def add_documents(self, documents: List[Dict[str, Any]]) -> None: ...  # noqa: UP006
    def search(self, query: Any, k: int = 1) -> List[Tuple[Dict[str, Any], float]]: ...  # noqa: UP006


def test_usage_with_retriever(capsys) -> None:
    # Create indexes
    index_a = SimpleIndex()
    index_b = SimpleIndex()

    # Create retriever
    retriever = Retriever(index_a, index_b)

    # Add documents
    retriever.add_documents(
        [
            {"id": 1, "text": "The cat sat on the mat"},
            {"id": 2, "text": "Deep learning for search engines"},
        ]
    )

    # Search
    results = retriever.search("cat", k=5)
    for doc, score in results:
        print(doc, score)  # noqa: T201
    assert capsys.readouterr().out == f"{{'id': 1, 'text': 'The cat sat on the mat'}} {2 / 61}\n"


def test_store_in_a_vector_database() -> None:
    chunks = chunk_by_section(REPORT)
    embeddings = topic_embedding(chunks)

    store = VectorIndex()

    for embedding, chunk in zip(embeddings, chunks):  # noqa: B905
        store.add_vector(embedding, {"content": chunk})

    [(document, similarity)] = store.search(topic_embedding("a clinical trial"))
    assert document["content"].startswith("Medicine")
    assert 0.9 < similarity <= 1.0


def test_retriever_class() -> None:
    text = REPORT
    chunks = chunk_by_section(text)

    # Create indexes, vector index and bm25 index, then use them to create a Retriever
    vector_index = VectorIndex(embedding_fn=topic_embedding)
    bm25_index = BM25Index()

    # Join multple indexes in a retriever
    retriever = Retriever(bm25_index, vector_index)

    # Use Hybrid retriver to add documents
    retriever.add_documents([{"content": chunk} for chunk in chunks])

    [(document, score)] = retriever.search("what happened with INC-2023-Q4-011?")
    assert document["content"].startswith("Software")
    assert document["id"] == "document-2"
    assert score == pytest.approx(2 / 61, abs=1 / 61)


def test_reranking_function() -> None:
    prompts = []

    def add_user_message(messages, text):
        messages.append({"role": "user", "content": text})

    def add_assistant_message(messages, text):
        messages.append({"role": "assistant", "content": text})

    def chat(messages, stop_sequences):
        prompts.append(messages[0]["content"])
        return {"text": '{"document_ids": ["document-4", "document-2"]}\n'}

    def reranker_fn(docs, query_text, k):
        # Format documents with IDs
        joined_docs = "\n".join(
            [
                f"""
        <document>
        <document_id>{doc["id"]}</document_id>
        <document_content>{doc["content"]}</document_content>
        </document>
        """
                for doc in docs
            ]
        )

        # Create prompt and get Claude's response
        prompt = f"""{joined_docs}{query_text}{k}"""
        messages = []
        add_user_message(messages, prompt)
        add_assistant_message(messages, """```json""")

        result = chat(messages, stop_sequences=["""```"""])

        return json.loads(result["text"])["document_ids"]

    retriever = Retriever(
        BM25Index(), VectorIndex(embedding_fn=topic_embedding), reranker_fn=reranker_fn, k_rrf=60
    )
    retriever.add_documents([{"content": chunk} for chunk in chunk_by_section(REPORT)])
    results = retriever.search("software", k=3)
    assert [doc["id"] for doc, _ in results][:2] == ["document-4", "document-2"]
    assert len(results) == 3
    assert "<document_id>document-2</document_id>" in prompts[0]


def test_one_function_embeds_a_text_or_a_list(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.md").write_text(REPORT)
    hashing = {"EMBEDDING_MODEL": "hashing/384", "SPARSE_EMBEDDING_MODEL": "hashing/sparse"}

    with open("./report.md", "r") as f:  # noqa: PTH123, UP015
        text = f.read()

    chunks = chunk_by_section(text)
    embeddings = generate_embedding(chunks, **hashing)

    store = VectorIndex()

    for embedding, chunk in zip(embeddings, chunks):  # noqa: B905
        store.add_vector(embedding, {"content": chunk})

    assert [len(embedding) for embedding in embeddings] == [384] * 4
    query = generate_embedding("the clinical trial", **hashing)
    assert generate_embedding(["the clinical trial"], **hashing) == [query]
    assert store.search(query)[0][0]["content"].startswith("Medicine")


def test_an_embedding_by_an_unknown_model_says_so() -> None:
    with pytest.raises(StartError, match="there is no dense model 'no-such'"):
        generate_embedding("text", EMBEDDING_MODEL="no-such")


def test_all_indexes_comply_with_the_protocol() -> None:
    def combined(*indexes: SearchIndex) -> list[str]:
        return [name for index in indexes for name in vars(SpecifiedIndex) if hasattr(index, name)]

    indexes = BM25Index(), VectorIndex(), Retriever(BM25Index()), SimpleIndex()
    wanted = {"add_document", "add_documents", "search"}
    assert all(wanted <= set(combined(index)) for index in indexes)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_semantic_search_finds_what_is_nearest_by_either_distance(metric: str) -> None:
    index = VectorIndex(embedding_fn=topic_embedding, distance_metric=metric)
    index.add_documents([{"content": chunk} for chunk in chunk_by_section(REPORT)])
    assert index.search("money and revenue", k=1)[0][0]["content"].startswith("Finance")


def test_exact_terms_that_semantic_search_misses_are_found_by_words() -> None:
    index = BM25Index()
    index.add_documents([{"content": chunk} for chunk in chunk_by_section(REPORT)])
    assert index.search("a team and INC-2023-Q4-011", k=1)[0][0]["content"].startswith("Software")
    assert index.search("XDR-47", k=1)[0][0]["content"].startswith("Medicine")
