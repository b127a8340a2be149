"""Chunks to store, and a Qdrant server's REST interface on loopback over its client's engine in memory."""

import json
import re
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import UUID

import pytest
from qdrant_client import QdrantClient
from qdrant_client import models as rest

from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.stores import CollectionModels

MODELS = CollectionModels(
    dense="tiny-dense", dense_dimensions=4, sparse="tiny-sparse", dense_fingerprint="f1"
)
API_KEY = "key-of-the-double"


@pytest.fixture(scope="session")
def collection_models() -> CollectionModels:
    return MODELS


@pytest.fixture(scope="session")
def make_chunk() -> Callable[..., SemanticChunk]:
    """Chunk number n of document `d<n % 3>`, on a direction and with weights of its own."""

    def make(number: int, **changes: Any) -> SemanticChunk:
        content = changes.pop("content", f"Passage {number}.")
        fields: dict[str, Any] = {
            "id": str(UUID(int=number + 1)),
            "chunk_id": f"d{number % 3}_h1_1_chunk_{number}",
            "document_id": f"d{number % 3}",
            "content": content,
            "content_hash": f"hash-{number}",
            "token_count": 3,
            "embed_text": f"Guide > Part {number}\n\n{content}",
            "start": number * 10,
            "end": number * 10 + len(content),
            "position": number,
            "embed_hash": f"embed-{number}",
            "source_url": f"https://docs.example/d{number % 3}",
            "section_path": ("Guide", f"Part {number}"),
            "headers": (("Header 1", "Guide"), ("Header 2", f"Part {number}")),
            "vectors": Vectors(
                (1.0, 0.1 * number, 0.01 * number**2, 0.5),
                SparseVector((1, 100 + number), (1.0 + 0.1 * ((number * 7) % 11), 0.5)),
            ),
        }
        return SemanticChunk(**(fields | changes))

    return make


class QdrantRestDouble(ThreadingHTTPServer):
    """The part of a server's REST interface that the store needs; keeps `paths`, `queries` and `bodies`."""

    daemon_threads = True

    def __init__(self, api_key: str = "", version: str = "1.17.0", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.scheme = "https" if tls else "http"
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self.engine = QdrantClient(":memory:", force_disable_check_same_thread=True)
        self.lock = threading.Lock()
        self.away = 0  # so many requests are answered by what a server says that is starting
        self.indexed: dict[str, dict[str, str]] = {}
        self.api_key = api_key
        self.version = version
        self.paths: list[str] = []
        self.bodies: list[Any] = []
        self.queries: list[tuple[str, str]] = []

    def handle_error(self, *arguments: Any) -> None:
        """A client that does not trust the certificate hangs up; that is no error here."""

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one packet an answer: the second of two waits 40 ms for the first one's receipt
    server: QdrantRestDouble

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""

    def answer(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length)) if length else {}
        path, _, query = self.path.partition("?")
        self.server.queries.append((f"{self.command} {path}", query))
        self.server.paths.append(f"{self.command} {path}")
        self.server.bodies.append(body)
        if self.server.away:
            self.server.away -= 1
            return self.reply(503, None, {"error": "starting"})
        if self.server.api_key and self.headers.get("api-key") != self.server.api_key:
            return self.reply(403, None, {"error": "Forbidden"})
        if path == "/":
            return self.send_json(200, {"title": "qdrant", "version": self.server.version})
        matched = re.fullmatch(r"/collections/(?!aliases$)([^/]+)(/.*)?", path)
        with self.server.lock:
            try:
                if matched:
                    result = self.route(matched[1], f"{self.command} {matched[2] or ''}".strip(), body)
                else:
                    result = self.aliases(f"{self.command} {path}", body)
            except ValueError as error:
                missing = "not found" in str(error)
                return self.reply(404 if missing else 409, None, {"error": str(error)})
        return self.reply(200, result, "ok")

    def route(self, name: str, request: str, body: Any) -> Any:  # noqa: PLR0911 - a table
        engine = self.server.engine
        match request:
            case "GET":
                kinds = self.server.indexed.get(name, {})
                schema = {field: {"data_type": kind, "points": 0} for field, kind in kinds.items()}
                return as_json(engine.get_collection(name)) | {"payload_schema": schema}
            case "GET /exists":
                return {"exists": engine.collection_exists(name)}
            case "POST /points":
                wanted = {
                    "with_payload": body.get("with_payload", True),
                    "with_vectors": body.get("with_vector"),
                }
                records = engine.retrieve(name, body["ids"], **wanted)
                return [as_json(record) for record in records]
            case "POST /points/query" | "POST /points/query/batch" | "POST /points/query/groups":
                return self.query(name, request.rpartition("/")[2], body)
            case "POST /points/scroll":
                arguments = scroll_arguments(rest.ScrollRequest.model_validate(body))
                points, offset = engine.scroll(name, **arguments)
                return {"points": [as_json(point) for point in points], "next_page_offset": offset}
            case "POST /points/count":
                return as_json(engine.count(name, rest.CountRequest.model_validate(body).filter))
        return self.write(name, request, body) or {"operation_id": 0, "status": "completed"}

    def query(self, name: str, kind: str, body: Any) -> Any:
        engine = self.server.engine
        if kind == "batch":
            searches = rest.QueryRequestBatch.model_validate(body).searches
            return [as_json(engine.query_points(name, **query_arguments(each))) for each in searches]
        if kind == "groups":
            asked = rest.QueryGroupsRequest.model_validate(body)
            options = query_arguments(asked) | {"group_size": asked.group_size}
            return as_json(engine.query_points_groups(name, asked.group_by, **options))
        return as_json(engine.query_points(name, **query_arguments(rest.QueryRequest.model_validate(body))))

    def aliases(self, request: str, body: Any) -> Any:
        engine = self.server.engine
        match request:
            case "GET /aliases":
                return as_json(engine.get_aliases())
            case "POST /collections/aliases":
                actions = rest.ChangeAliasesOperation.model_validate(body).actions
                return engine.update_collection_aliases(actions)
        raise ValueError(f"{request} not found")

    def write(self, name: str, request: str, body: Any) -> Any:
        engine = self.server.engine
        match request:
            case "PUT":
                wanted = rest.CreateCollection.model_validate(body)
                vectors, sparse = wanted.vectors, wanted.sparse_vectors
                return engine.create_collection(name, vectors, sparse, metadata=wanted.metadata)
            case "PUT /index":
                self.server.indexed.setdefault(name, {})[body["field_name"]] = body["field_schema"]
            case "PATCH":
                return engine.update_collection(name, metadata=body["metadata"])
            case "DELETE":
                return engine.delete_collection(name)
            case "PUT /points":
                engine.upsert(name, rest.PointsList.model_validate(body).points)
            case "POST /points/batch":
                operations = rest.UpdateOperations.model_validate(body).operations
                engine.batch_update_points(name, operations)
                return [{"operation_id": 0, "status": "completed"} for _ in operations]
            case "POST /points/delete":
                engine.delete(name, rest.PointIdsList.model_validate(body))
            case _:
                raise ValueError(f"{request} not found")
        return None

    def reply(self, code: int, result: Any, status: Any) -> None:
        self.send_json(code, {"result": result, "status": status, "time": 0.0})

    def send_json(self, code: int, value: Any) -> None:
        body = json.dumps(value).encode()
        self.send_response(code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = answer  # noqa: N815  # the base class looks these names up


def query_arguments(request: rest.QueryRequest | rest.QueryGroupsRequest) -> dict[str, Any]:
    same = ("query", "using", "prefetch", "limit", "with_payload")
    asked = {"query_filter": request.filter, "with_vectors": request.with_vector}
    return {name: getattr(request, name) for name in same} | asked


def scroll_arguments(request: rest.ScrollRequest) -> dict[str, Any]:
    same = ("limit", "offset", "with_payload")
    asked = {"scroll_filter": request.filter, "with_vectors": request.with_vector}
    return {name: getattr(request, name) for name in same} | asked


def as_json(model: Any) -> Any:
    return json.loads(model.model_dump_json())


@pytest.fixture(scope="session")
def start_rest_double() -> Iterator[Callable[..., QdrantRestDouble]]:
    """Starts doubles, all of which are stopped at the end."""
    started: list[QdrantRestDouble] = []

    def start(**options: Any) -> QdrantRestDouble:
        double = QdrantRestDouble(**options)
        threading.Thread(target=double.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        started.append(double)
        return double

    yield start
    for double in started:
        double.shutdown()
        double.server_close()
        double.engine.close()
