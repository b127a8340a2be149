"""The store over gRPC: the client's own messages, there and back, with its engine in memory behind them."""
# ruff: noqa: N802 - the methods of a service have the names of its protocol

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import grpc
import pytest
from qdrant_client import QdrantClient
from qdrant_client import grpc as messages
from qdrant_client.conversions.conversion import GrpcToRest, RestToGrpc, grpc_to_payload

from ragcrawler.items import ChunkExtra, SparseVector, Vectors
from ragcrawler.stores import StoreAwayError, StoreConfig, StoreError, open_store
from ragcrawler.stores.aliases import open_aliases
from ragcrawler.stores.filters import read_filters
from ragcrawler.stores.search_request import Ranking, SearchRequest

KEY = "hush-hush-key"
DONE = messages.UpdateResult(operation_id=0, status=messages.UpdateStatus.Completed)


class Collections(messages.CollectionsServicer):
    def __init__(self, engine: QdrantClient) -> None:
        self.engine = engine

    def CollectionExists(self, request, context):
        exists = self.engine.collection_exists(request.collection_name)
        return messages.CollectionExistsResponse(result=messages.CollectionExists(exists=exists))

    def Get(self, request, context):
        info = self.engine.get_collection(request.collection_name)
        return messages.GetCollectionInfoResponse(result=RestToGrpc.convert_collection_info(info))

    def Create(self, request, context):
        sparse = GrpcToRest.convert_sparse_vector_config(request.sparse_vectors_config)
        self.engine.create_collection(
            request.collection_name,
            GrpcToRest.convert_vectors_config(request.vectors_config),
            sparse,
            metadata=grpc_to_payload(request.metadata),
        )
        return messages.CollectionOperationResponse(result=True)

    def Update(self, request, context):
        self.engine.update_collection(request.collection_name, metadata=grpc_to_payload(request.metadata))
        return messages.CollectionOperationResponse(result=True)

    def ListAliases(self, request, context):
        aliases = [RestToGrpc.convert_alias_description(each) for each in self.engine.get_aliases().aliases]
        return messages.ListAliasesResponse(aliases=aliases)

    def UpdateAliases(self, request, context):
        self.engine.update_collection_aliases(
            [GrpcToRest.convert_alias_operations(action) for action in request.actions]
        )
        return messages.CollectionOperationResponse(result=True)


class Points(messages.PointsServicer):
    def __init__(self, engine: QdrantClient) -> None:
        self.engine = engine
        self.indexed: list[str] = []

    def CreateFieldIndex(self, request, context):
        self.indexed.append(request.field_name)
        return messages.PointsOperationResponse(result=DONE)

    def Upsert(self, request, context):
        self.engine.upsert(
            request.collection_name, [GrpcToRest.convert_point_struct(point) for point in request.points]
        )
        return messages.PointsOperationResponse(result=DONE)

    def UpdateBatch(self, request, context):
        operations = [GrpcToRest.convert_points_update_operation(each) for each in request.operations]
        self.engine.batch_update_points(request.collection_name, operations)
        return messages.UpdateBatchResponse(result=[DONE] * len(operations))

    def Delete(self, request, context):
        self.engine.delete(request.collection_name, GrpcToRest.convert_points_selector(request.points))
        return messages.PointsOperationResponse(result=DONE)

    def Get(self, request, context):
        records = self.engine.retrieve(
            request.collection_name,
            [GrpcToRest.convert_point_id(each) for each in request.ids],
            with_payload=GrpcToRest.convert_with_payload_selector(request.with_payload),
        )
        return messages.GetResponse(result=[_retrieved(record) for record in records])

    def Scroll(self, request, context):
        records, offset = self.engine.scroll(
            request.collection_name,
            GrpcToRest.convert_filter(request.filter) if request.HasField("filter") else None,
            limit=request.limit,
            offset=GrpcToRest.convert_point_id(request.offset) if request.HasField("offset") else None,
            with_payload=GrpcToRest.convert_with_payload_selector(request.with_payload),
            with_vectors=GrpcToRest.convert_with_vectors_selector(request.with_vectors),
        )
        following = None if offset is None else RestToGrpc.convert_extended_point_id(offset)
        result = [_retrieved(record) for record in records]
        return messages.ScrollResponse(result=result, next_page_offset=following)

    def Count(self, request, context):
        fitting = GrpcToRest.convert_filter(request.filter) if request.HasField("filter") else None
        count = self.engine.count(request.collection_name, fitting).count
        return messages.CountResponse(result=messages.CountResult(count=count))

    def Query(self, request, context):
        found = self.engine.query_points(
            request.collection_name,
            query=GrpcToRest.convert_query(request.query),
            prefetch=[GrpcToRest.convert_prefetch_query(each) for each in request.prefetch],
            query_filter=GrpcToRest.convert_filter(request.filter) if request.HasField("filter") else None,
            using=request.using or None,
            limit=request.limit,
        )
        return messages.QueryResponse(result=[RestToGrpc.convert_scored_point(each) for each in found.points])


def _retrieved(record: Any) -> Any:
    return RestToGrpc.convert_retrieved_point(record.model_copy(update={"payload": record.payload or {}}))


class Root(messages.QdrantServicer):
    def HealthCheck(self, request, context):
        return messages.HealthCheckReply(title="qdrant", version="1.17.0")


class Guard(grpc.ServerInterceptor):
    """Lets in who has the key."""

    def intercept_service(self, continuation: Any, details: Any) -> Any:
        if ("api-key", KEY) in [(each.key, each.value) for each in details.invocation_metadata]:
            return continuation(details)
        return grpc.unary_unary_rpc_method_handler(
            lambda request, context: context.abort(grpc.StatusCode.UNAUTHENTICATED, f"no {KEY}")
        )


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    engine = QdrantClient(":memory:", force_disable_check_same_thread=True)
    server = grpc.server(ThreadPoolExecutor(1), interceptors=[Guard()])
    messages.add_CollectionsServicer_to_server(Collections(engine), server)
    messages.add_PointsServicer_to_server(Points(engine), server)
    messages.add_QdrantServicer_to_server(Root(), server)
    bound = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield bound
    server.stop(None).wait()
    engine.close()


@pytest.fixture
def config(port: int, request: pytest.FixtureRequest) -> StoreConfig:
    name = f"c{abs(hash(request.node.name))}"
    return StoreConfig(
        url="http://127.0.0.1:1",
        api_key=KEY,
        prefer_grpc=True,
        grpc_port=port,
        collection=name,
        timeout_seconds=5,
    )


@pytest.fixture
def store(config, collection_models, make_chunk):
    with open_store(config) as store:
        store.create(collection_models)
        store.upsert([make_chunk(number) for number in range(300)])
        yield store


def test_models_and_chunks_come_back_as_they_went_in(store, collection_models, make_chunk) -> None:
    assert store.models() == collection_models
    chunk = make_chunk(7, section_path=("A > B", ""), extra=ChunkExtra(table_id="t", suspicious=("x",)))
    store.upsert([chunk])
    assert store.get([chunk.id]) == [replace(chunk, vectors=None)]
    assert {each.position for each in store.scroll()} == set(range(300))


def test_vectors_come_back(store, make_chunk) -> None:
    points = {point.id: point for point in store.points()}
    point = points[make_chunk(5).id]
    assert list(point.sparse.indices) == [1, 105]
    assert len(point.dense) == 4


def test_payloads_are_replaced_and_points_removed(store, make_chunk) -> None:
    store.upsert([make_chunk(2, vectors=None, content="Moved.")])
    store.delete([make_chunk(3).id])
    assert [chunk.content for chunk in store.get([make_chunk(2).id, make_chunk(3).id])] == ["Moved."]
    assert store.count() == 299
    assert store.count(filters={"document_id": "d1"}) == 100


def test_a_hybrid_search_finds_what_it_finds_over_rest(
    store, collection_models, make_chunk, start_rest_double
) -> None:
    query = Vectors((1.0, 0.2, 0.0, 0.5), SparseVector((1,), (1.0,)))
    rankings = (Ranking("dense", query.dense), Ranking("sparse", query.sparse))
    request = SearchRequest(rankings, limit=10, filters=read_filters({"document_id": "d1"}))
    with open_store(StoreConfig(url=start_rest_double().url)) as other:
        other.create(collection_models)
        other.upsert([make_chunk(number) for number in range(300)])
        expected = [(hit.chunk.id, pytest.approx(hit.score)) for hit in other.search(request)]
    assert [(hit.chunk.id, hit.score) for hit in store.search(request)] == expected


def test_a_name_is_switched(store, config, collection_models) -> None:
    name = config.collection
    with open_store(replace(config, collection=f"{name}-v2")) as other:
        other.create(collection_models)
    open_aliases(config).switch(name, f"{name}-v2")
    with open_store(config) as switched:
        assert switched.count() == 0


def test_a_refused_key_is_named_without_being_shown(config) -> None:
    with pytest.raises(
        StoreError, match=r"refused the API key \(UNAUTHENTICATED\). Set QDRANT_API_KEY"
    ) as refusal:
        open_store(replace(config, api_key="a-wrong-key"))
    assert "a-wrong-key" not in str(refusal.value)


def test_a_server_that_is_not_there_may_come_back(config) -> None:
    with pytest.raises(StoreAwayError, match=r"UNAVAILABLE.* this address and port 1 "):
        open_store(replace(config, grpc_port=1))


def test_what_the_server_says_is_told(store, make_chunk) -> None:
    store._name = "gone"
    with pytest.raises(StoreError, match=r"Cannot count the collection .*UNKNOWN, .*not found"):
        store.count()
