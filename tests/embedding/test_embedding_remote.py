"""Services that embed, over real HTTP on loopback: what they are asked, and what becomes of their answers."""

import json
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import open_embedders
from ragcrawler.embedding.model_registry import family_of, tokenizer_path
from ragcrawler.embedding.protocol import EmbeddingError, ModelDescription, ModelUnavailableError
from ragcrawler.embedding.remote.budget import RequestBudget
from ragcrawler.embedding.remote.cohere import CohereDialect
from ragcrawler.embedding.remote.config import RemoteConfig
from ragcrawler.embedding.remote.dialect import Dialect
from ragcrawler.embedding.remote.embedder import RemoteEmbedder
from ragcrawler.embedding.remote.errors import EmbeddingBudgetError, TextRefusedError
from ragcrawler.embedding.remote.openai import OpenAiDialect
from ragcrawler.embedding.selection import select_models

KEY = "sk-very-secret"
Reply = tuple[int, dict[str, str], Any]


class ServiceDouble(ThreadingHTTPServer):
    """Both interfaces; answers are taken from `replies` while there are any, then are right ones."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.replies: list[Reply | Callable[[dict[str, Any]], Reply]] = []
        self.started = threading.Event()
        self.gate = threading.Event()
        self.gate.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def texts(self) -> list[list[str]]:
        return [body.get("input") or body["texts"] for _, _, body in self.requests]


def vector(text: str) -> list[float]:
    return [float(len(text)), 0.5, -1.25]


class _Handler(BaseHTTPRequestHandler):
    server: ServiceDouble

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, dict(self.headers), body))
        self.server.started.set()
        self.server.gate.wait(10)
        reply = self.server.replies.pop(0) if self.server.replies else _right
        status, headers, content = reply(body) if callable(reply) else reply
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


def _right(body: dict[str, Any]) -> Reply:
    if "texts" in body:
        rows = [vector(text) for text in body["texts"]]
        return 200, {}, {"embeddings": {"float": rows}, "meta": {"billed_units": {"input_tokens": 7}}}
    return 200, {}, openai_answer(body, tokens=5 * len(body["input"]))


def openai_answer(body: dict[str, Any], tokens: int = 0) -> dict[str, Any]:
    """The rows in reverse order: only their index counts."""
    rows = [{"index": index, "embedding": vector(text)} for index, text in enumerate(body["input"])]
    return {"data": rows[::-1], "usage": {"total_tokens": tokens}}


def changed(change: Callable[[list[dict[str, Any]]], object]) -> Callable[[dict[str, Any]], Reply]:
    """A right answer of OpenAI's interface with something done to its rows."""

    def reply(body: dict[str, Any]) -> Reply:
        answer = openai_answer(body)
        change(answer["data"])
        return 200, {}, answer

    return reply


@pytest.fixture
def service() -> Iterator[ServiceDouble]:
    with ServiceDouble() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.gate.set()
        server.shutdown()
        thread.join()


Open = Callable[..., RemoteEmbedder]


@pytest.fixture
def opened(service: ServiceDouble) -> Iterator[Open]:
    """Opens embedders that are closed with the test; keywords are the configuration's."""
    embedders: list[RemoteEmbedder] = []

    def open_remote(dialect: Dialect | None = None, **settings: Any) -> RemoteEmbedder:
        values = {"url": service.url, "api_key": KEY, "longest_wait_seconds": 0.01} | settings
        description = ModelDescription("openai:small", "dense", 3, 512)
        config = RemoteConfig("openai", **values)
        embedders.append(RemoteEmbedder(description, "small", dialect or OpenAiDialect(), config))
        return embedders[-1]

    yield open_remote
    for embedder in embedders:
        embedder.close()


def test_openai_s_interface_is_asked_as_it_wants(service: ServiceDouble, opened: Open) -> None:
    texts = ["one", "three", "\ud800"]
    assert opened().embed_batch(texts) == [vector("one"), vector("three"), vector("?")]
    ((path, headers, body),) = service.requests
    assert path == "/v1/embeddings"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body == {"model": "small", "input": ["one", "three", "?"], "encoding_format": "float"}


def test_cohere_is_told_documents_from_questions(service: ServiceDouble, opened: Open) -> None:
    embedder = opened(CohereDialect())
    assert embedder.embed_batch(["one", "three"]) == [vector("one"), vector("three")]
    assert embedder.embed_query("one") == vector("one")
    assert [path for path, _, _ in service.requests] == ["/v1/embed"] * 2
    assert [body["input_type"] for _, _, body in service.requests] == ["search_document", "search_query"]
    assert service.requests[0][2]["embedding_types"] == ["float"]


def test_a_service_without_a_key_is_sent_none(service: ServiceDouble, opened: Open) -> None:
    opened(api_key="").embed_query("one")
    assert "Authorization" not in service.requests[0][1]


def test_texts_are_sent_by_count_and_by_tokens_and_come_back_in_order(
    service: ServiceDouble, opened: Open
) -> None:
    texts = ["x" * length for length in (1, 900, 2, 3, 4, 600, 5)]
    embedder = opened(request_texts=3, request_tokens=302, requests_at_once=1)
    assert embedder.embed_documents(texts) == [vector(text) for text in texts]
    assert [[len(text) for text in sent] for sent in service.texts()] == [[900], [600], [5, 4, 3], [2, 1]]


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 529])
def test_what_may_pass_is_tried_again(service: ServiceDouble, opened: Open, status: int) -> None:
    service.replies = [(status, {}, b"later"), (status, {"Retry-After": "0"}, b"later")]
    assert opened().embed_query("one") == vector("one")
    assert len(service.requests) == 3


@pytest.mark.parametrize(
    "broken",
    [(200, {}, b"no json"), (200, {"Content-Encoding": "gzip"}, b"no gzip"), (200, {}, b'{"data": [')],
)
def test_an_answer_that_cannot_be_read_is_asked_for_again(
    service: ServiceDouble, opened: Open, broken: Reply
) -> None:
    service.replies = [broken]
    assert opened().embed_query("one") == vector("one")
    assert len(service.requests) == 2


def test_after_so_many_retries_it_is_given_up(service: ServiceDouble, opened: Open) -> None:
    service.replies = [(500, {}, b"overloaded")] * 9
    with pytest.raises(ModelUnavailableError, match="answered 500: overloaded; given up after 3 requests"):
        opened(retries=2).embed_query("one")
    assert len(service.requests) == 3


def test_a_service_that_wants_to_be_left_alone_for_long_is_given_up(
    service: ServiceDouble, opened: Open
) -> None:
    service.replies = [(429, {"Retry-After": "3600"}, b"quota")]
    with pytest.raises(ModelUnavailableError, match="asks to wait for 3600 seconds"):
        opened().embed_query("one")
    assert len(service.requests) == 1


def test_a_service_that_is_not_there_is_named(opened: Open) -> None:
    embedder = opened(url="http://127.0.0.1:9/v1", retries=1)
    with pytest.raises(ModelUnavailableError, match=r"http://127.0.0.1:9/v1/embeddings does not answer"):
        embedder.embed_query("one")


def test_a_service_that_does_not_answer_in_time_is_given_up(service: ServiceDouble, opened: Open) -> None:
    service.gate.clear()
    with pytest.raises(ModelUnavailableError, match=r"does not answer .*given up after 2 requests"):
        opened(timeout_seconds=0.05, retries=1).embed_query("one")


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_body_that_is_refused_is_the_text_s_fault_and_not_tried_again(
    service: ServiceDouble, opened: Open, status: int
) -> None:
    service.replies = [(status, {}, b"too long")]
    with pytest.raises(TextRefusedError, match=f"answered {status}: too long"):
        opened().embed_query("one")
    assert len(service.requests) == 1


@pytest.mark.parametrize("status", [401, 403, 404, 302])
def test_who_is_refused_asks_no_more(service: ServiceDouble, opened: Open, status: int) -> None:
    service.replies = [(status, {"Location": "http://127.0.0.1:9/"}, f"your key {KEY} is wrong".encode())]
    embedder = opened()
    for _ in range(2):
        with pytest.raises(ModelUnavailableError, match=r"your key \*\*\* is wrong.*EMBEDDING_API_KEY"):
            embedder.embed_query("one")
    assert len(service.requests) == 1


WRONG: list[tuple[Callable[[dict[str, Any]], Reply] | Reply, str]] = [
    (changed(lambda rows: rows.pop(0)), "1 vectors for 2 texts"),
    (changed(lambda rows: rows.append(dict(rows[0], index=2))), "3 vectors for 2 texts"),
    (changed(lambda rows: rows[0].update(index=0)), "two vectors of one index"),
    (changed(lambda rows: rows[0].update(index=7)), "KeyError"),
    (changed(lambda rows: rows[0].update(embedding="AAAA")), "no list of numbers"),
    (changed(lambda rows: rows[0].update(embedding=[])), "no list of numbers"),
    (changed(lambda rows: rows[0].update(embedding=[1.0, None, 2.0])), "no list of numbers"),
    (changed(lambda rows: rows[0].update(embedding=[1.0])), "of 1 numbers, this model's have 3"),
    ((200, {}, []), "the answer is none of openai's interface"),
    ((200, {}, {"data": 3}), "the answer is none of openai's interface"),
    ((200, {}, {"error": "no"}), "KeyError.*EMBEDDING_PROVIDER"),
]


@pytest.mark.parametrize(("reply", "message"), WRONG, ids=[message for _, message in WRONG])
def test_an_answer_that_is_none_is_no_vector(
    service: ServiceDouble, opened: Open, reply: Any, message: str
) -> None:
    service.replies = [reply]
    with pytest.raises(ModelUnavailableError, match=message):
        opened().embed_batch(["one", "two"])


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e300])
def test_a_number_that_is_not_finite_is_refused(service: ServiceDouble, opened: Open, number: float) -> None:
    service.replies = [changed(lambda rows: rows[0].update(embedding=[1.0, number, 2.0]))]
    with pytest.raises(TextRefusedError, match="not finite"):
        opened().embed_batch(["one", "two"])


def test_numbers_are_kept_in_32_bits_as_stores_keep_them(service: ServiceDouble, opened: Open) -> None:
    service.replies = [changed(lambda rows: rows[0].update(embedding=[0.1, 1, 2.0]))]
    assert opened().embed_query("one") == [0.10000000149011612, 1.0, 2.0]


def test_the_budget_of_requests_counts_retries(service: ServiceDouble, opened: Open) -> None:
    service.replies = [(500, {}, b"")]
    embedder = opened(most_requests=3)
    embedder.embed_query("one")
    embedder.embed_query("two")
    with pytest.raises(EmbeddingBudgetError, match="3 requests of EMBEDDING_BUDGET_REQUESTS") as caught:
        embedder.embed_query("three")
    assert len(service.requests) == 3
    assert caught.value.reason == "embedding_budget"


def test_the_budget_of_tokens_counts_as_the_service_does(service: ServiceDouble, opened: Open) -> None:
    embedder = opened(most_tokens=16)  # a short text is taken for 3 tokens, the service counts 5
    for _ in range(3):
        embedder.embed_query("one")
    with pytest.raises(EmbeddingBudgetError, match="15 of the 16 tokens of EMBEDDING_BUDGET_TOKENS"):
        embedder.embed_query("one")
    assert len(service.requests) == 3


def test_a_request_that_is_refused_costs_no_tokens(service: ServiceDouble, opened: Open) -> None:
    service.replies = [(500, {}, b"")] * 3
    assert opened(most_tokens=6).embed_query("one") == vector("one")  # taken for 3 tokens each time


def test_a_budget_gets_back_what_was_not_spent() -> None:
    budget = RequestBudget(0, 100)
    budget.spend(60)
    budget.correct(60, 0)
    budget.spend(100)
    assert (budget.requests, budget.tokens) == (2, 100)


def test_closing_ends_a_request_that_runs(service: ServiceDouble, opened: Open) -> None:
    service.gate.clear()
    embedder = opened()
    with ThreadPoolExecutor(1) as executor:
        running = executor.submit(embedder.embed_query, "one")
        assert service.started.wait(10)
        embedder.close()
        with pytest.raises(ModelUnavailableError, match="was closed"):
            running.result(5)
    with pytest.raises(ModelUnavailableError, match="was closed"):
        embedder.embed_query("two")
    embedder.close()


def configured(config: EmbeddingConfig, service: ServiceDouble, **settings: Any) -> EmbeddingConfig:
    return replace(config, remote=RemoteConfig("openai", url=service.url, api_key=KEY, **settings))


def test_a_collection_s_models_are_a_remote_one_and_a_sparse_one_of_here(
    service: ServiceDouble, config: EmbeddingConfig, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    asked = configured(config, service, limit_tokens=300)
    embedders = open_embedders(select_models("openai:small", "hashing/sparse", None, asked), asked)
    assert (embedders.dense.description.name, embedders.dense.description.dimensions) == ("openai:small", 3)
    assert embedders.dense.description.origin == service.url
    assert embedders.limit_tokens == 298
    assert "Tokens are counted as bundled/all-MiniLM-L6-v2 counts them" in caplog.text
    embedders.dense.close()
    assert "openai:small took 1 requests, about 5 tokens" in caplog.text
    assert KEY not in caplog.text


def test_the_model_s_own_tokenizer_counts_where_it_is_given(
    service: ServiceDouble, config: EmbeddingConfig, tmp_path: Path
) -> None:
    path = tmp_path / "tokenizer.json"
    description = ModelDescription("openai:small", "dense", 0, 512)
    asked = configured(config, service, tokenizer=path)
    with pytest.raises(EmbeddingError, match=f"EMBEDDING_TOKENIZER names {path}"):
        tokenizer_path(description, asked)
    path.write_text("{}")
    assert tokenizer_path(description, asked) == path


def test_a_service_that_refuses_at_the_start_says_so(service: ServiceDouble, config: EmbeddingConfig) -> None:
    service.replies = [(401, {}, b"no such key")]
    asked = configured(config, service)
    with pytest.raises(EmbeddingError, match="answered 401"):
        open_embedders(select_models("openai:small", "hashing/sparse", None, asked), asked)


@pytest.mark.parametrize("remote", [None, RemoteConfig("cohere")])
def test_a_remote_model_without_its_provider_says_what_to_set(
    config: EmbeddingConfig, remote: RemoteConfig | None
) -> None:
    asked = replace(config, remote=remote)
    with pytest.raises(EmbeddingError, match="set EMBEDDING_PROVIDER=openai"):
        select_models("auto", "auto", ("openai:small", "hashing/sparse"), asked)


def test_there_are_no_remote_sparse_models(service: ServiceDouble, config: EmbeddingConfig) -> None:
    asked = configured(config, service)
    with pytest.raises(EmbeddingError, match="there is no sparse model 'openai:small'"):
        select_models("openai:small", "openai:small", None, asked)
    family = family_of("openai:small")
    with pytest.raises(EmbeddingError, match="SPARSE_EMBEDDING_MODEL"):
        family.open_sparse(ModelDescription("openai:small", "sparse", 0, 512), asked)


def test_the_key_is_not_shown_with_the_configuration() -> None:
    assert KEY not in repr(EmbeddingConfig(remote=RemoteConfig("openai", api_key=KEY)))
