"""The store on a server alone: its requests, and a server that refuses, lies or is not there."""

import json
import logging
import socket
import ssl
import threading
import traceback
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address
from pathlib import Path

import pytest

from ragcrawler.items import ChunkExtra, SparseVector, Vectors
from ragcrawler.stores import StoreConfig, StoreError, open_store
from ragcrawler.stores.collection_record import SCHEMA_VERSION
from ragcrawler.stores.filters import read_filters
from ragcrawler.stores.payload_indexes import PAYLOAD_INDEXES
from ragcrawler.stores.search_request import Ranking, SearchRequest

QUERY = Vectors((1.0, 0.2, 0.0, 0.5), SparseVector((1,), (1.0,)))
KEY = "hush-hush-key"


@pytest.fixture
def double(start_rest_double):
    return start_rest_double(api_key=KEY)


def config(double, **changes) -> StoreConfig:
    return replace(StoreConfig(url=double.url, api_key=KEY), **changes)


def sent(double, path: str) -> list:
    return [body for each, body in zip(double.paths, double.bodies, strict=True) if each == path]


def test_the_collection_is_made_with_named_vectors_cosine_indexes_and_its_models(
    double, collection_models
) -> None:
    with open_store(config(double)) as store:
        store.create(collection_models)
    [body] = sent(double, "PUT /collections/ragcrawler-1")
    assert body["vectors"]["dense"] == {"size": 4, "distance": "Cosine"}
    assert list(body["sparse_vectors"]) == ["sparse", "bm25"]
    assert body["sparse_vectors"]["bm25"]["modifier"] == "idf"
    assert body["metadata"]["ragcrawler"]["dense"] == "tiny-dense"
    indexed = {
        each["field_name"]: each["field_schema"]
        for each in sent(double, "PUT /collections/ragcrawler-1/index")
    }
    assert indexed == PAYLOAD_INDEXES
    assert store.location == f"ragcrawler at {double.url}"


def test_the_next_process_finds_the_models_and_makes_nothing_again(double, collection_models) -> None:
    with open_store(config(double)) as store:
        store.create(collection_models)
    double.paths.clear()
    with open_store(config(double)) as store:
        assert store.models() == collection_models
        store.create(collection_models)
    assert [path for path in double.paths if path.startswith("PUT")] == []


def test_an_index_that_a_killed_creation_left_out_is_made_later(double, collection_models) -> None:
    with open_store(config(double)) as store:
        store.create(collection_models)
        del double.indexed["ragcrawler-1"]["chunk_type"]
        double.bodies.clear()
        double.paths.clear()
        store.create(collection_models)
    assert [body["field_name"] for body in sent(double, "PUT /collections/ragcrawler-1/index")] == [
        "chunk_type"
    ]


def remembered(double) -> dict:
    return double.engine.get_collection("ragcrawler-1").config.metadata["ragcrawler"]


def remember(double, **changes) -> None:
    record = {name: value for name, value in (remembered(double) | changes).items() if value is not None}
    double.engine.update_collection("ragcrawler-1", metadata={"ragcrawler": record})


def test_an_older_schema_is_migrated_by_the_next_crawl(double, collection_models) -> None:
    with open_store(config(double)) as store:
        store.create(collection_models)
    remember(double, schema_version=None)
    for field in ("chapter", "fetched_at"):
        del double.indexed["ragcrawler-1"][field]
    with open_store(config(double)) as store:
        assert "schema_version" not in remembered(double)
        store.create(replace(collection_models, chunker="9"))
        assert store.models().chunker == "9"
    assert remembered(double)["schema_version"] == SCHEMA_VERSION
    assert double.indexed["ragcrawler-1"] == PAYLOAD_INDEXES


def test_a_newer_schema_is_refused_with_the_way_out(double, collection_models) -> None:
    with open_store(config(double)) as store:
        store.create(collection_models)
    remember(double, schema_version=SCHEMA_VERSION + 1)
    with pytest.raises(StoreError, match=rf"version {SCHEMA_VERSION + 1} of the schema.*Upgrade ragcrawler"):
        open_store(config(double))


@pytest.mark.parametrize(
    ("settings", "dense"),
    [
        ({}, {"size": 4, "distance": "Cosine"}),
        ({"on_disk": True}, {"size": 4, "distance": "Cosine", "on_disk": True}),
        (
            {"quantization": "scalar"},
            {
                "size": 4,
                "distance": "Cosine",
                "quantization_config": {"scalar": {"type": "int8", "quantile": 0.99, "always_ram": True}},
            },
        ),
    ],
)
def test_a_new_collection_keeps_its_vectors_as_set(double, collection_models, settings, dense) -> None:
    with open_store(config(double, **settings)) as store:
        store.create(collection_models)
    [body] = sent(double, "PUT /collections/ragcrawler-1")
    assert body["vectors"]["dense"] == dense


def test_two_that_make_the_collection_at_once_agree(double, collection_models, make_chunk) -> None:
    with open_store(config(double)) as first, open_store(config(double)) as second:
        first.create(collection_models)
        first.upsert([make_chunk(1)])
        second.create(collection_models)
        assert second.count() == 1


def test_the_other_models_of_a_collection_made_meanwhile_are_refused(double, collection_models) -> None:
    with open_store(config(double)) as first, open_store(config(double)) as second:
        first.create(collection_models)
        with pytest.raises(StoreError, match="was made with other models"):
            second.create(replace(collection_models, dense="other-dense"))


def test_a_hybrid_search_is_one_request_with_the_constant_of_the_specification(
    double, collection_models, make_chunk
) -> None:
    with open_store(config(double)) as store:
        store.create(collection_models)
        store.upsert([make_chunk(1)])
        rankings = (Ranking("dense", QUERY.dense), Ranking("sparse", QUERY.sparse))
        store.search(SearchRequest(rankings, 5, filters=read_filters({"document_id": "d1"})))
    [body] = sent(double, "POST /collections/ragcrawler-1/points/query")
    # 61: a server counts ranks from 0, the specification from 1.
    assert body["query"] == {"rrf": {"k": 61}}
    assert [each["using"] for each in body["prefetch"]] == ["dense", "sparse"]
    rescored = {"rescore": True, "oversampling": 2.0}
    assert [each["params"]["quantization"] for each in body["prefetch"]] == [rescored, rescored]
    condition = {"key": "document_id", "match": {"value": "d1"}}
    assert [each["filter"]["must"] for each in body["prefetch"]] == [[condition], [condition]]


def test_writes_are_waited_for_and_sent_in_batches(double, collection_models, make_chunk) -> None:
    with open_store(config(double)) as store:
        store.create(collection_models)
        store.upsert([make_chunk(number) for number in range(150)])
        store.upsert([make_chunk(number, vectors=None) for number in range(70)])
    assert [len(body["points"]) for body in sent(double, "PUT /collections/ragcrawler-1/points")] == [
        64,
        64,
        22,
    ]
    updates = sent(double, "POST /collections/ragcrawler-1/points/batch")
    assert [len(body["operations"]) for body in updates] == [64, 6]
    writes = ("PUT /collections/ragcrawler-1/points", "POST /collections/ragcrawler-1/points/batch")
    assert {query for path, query in double.queries if path in writes} == {"wait=true"}


def test_a_collection_of_another_program_is_refused(double) -> None:
    from qdrant_client import models

    vectors = {"dense": models.VectorParams(size=4, distance=models.Distance.COSINE)}
    double.engine.create_collection("ragcrawler", vectors)
    with pytest.raises(
        StoreError, match=r"'ragcrawler' on the server was made by another program.*another name"
    ):
        open_store(config(double))


def test_a_name_never_comes_to_mean_a_collection_of_another_program(double, collection_models) -> None:
    from qdrant_client import models

    vectors = {"dense": models.VectorParams(size=4, distance=models.Distance.COSINE)}
    double.engine.create_collection("ragcrawler-1", vectors)
    with (
        open_store(config(double)) as store,
        pytest.raises(StoreError, match=r"'ragcrawler-1' .*another program"),
    ):
        store.create(collection_models)
    assert double.engine.get_aliases().aliases == []


@pytest.mark.parametrize(("version", "accepted"), [("1.15.9", False), ("1.16.0", True), ("2.0.0-dev", True)])
def test_a_server_that_would_forget_the_models_is_refused(
    start_rest_double, collection_models, version: str, accepted: bool
) -> None:
    with open_store(StoreConfig(url=start_rest_double(version=version).url)) as store:
        if accepted:
            store.create(collection_models)
            assert store.models() == collection_models
        else:
            with pytest.raises(StoreError, match=r"1\.15\.9: upgrade it to 1\.16"):
                store.create(collection_models)


@pytest.mark.parametrize("key", ["", "a-wrong-key"])
def test_a_refused_key_is_named_without_being_shown(double, key: str) -> None:
    with pytest.raises(StoreError, match=r"refused the API key \(403\). Set QDRANT_API_KEY") as refusal:
        open_store(config(double, api_key=key))
    assert double.url in str(refusal.value)
    assert "a-wrong-key" not in "".join(traceback.format_exception(refusal.value))


def test_a_server_that_is_not_there_is_named() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(StoreError, match=rf"{url}: .*refused.* runs at this address.*unset QDRANT_URL"):
            open_store(StoreConfig(url=url, timeout_seconds=2))


def test_a_server_that_hangs_is_given_up() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(StoreError, match="answers within 1 s"):
            open_store(StoreConfig(url=url, timeout_seconds=1))


@pytest.fixture
def start_liar():
    """Servers that answer everything with one body and status."""
    servers = []

    def start(status: int, body: bytes) -> str:
        class Liar(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(status)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: object) -> None:
                """Say nothing."""

        servers.append(HTTPServer(("127.0.0.1", 0), Liar))
        threading.Thread(target=servers[-1].serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("status", "body", "complaint"),
    [
        (200, b"<html>welcome</html>", "Cannot open the collection 'ragcrawler' at http://127"),
        (
            200,
            b'{"result": {"not": "a collection"}}',
            "Cannot open the collection 'ragcrawler' at http://127",
        ),
        (500, b"\xff\xfe" * 9000, "status 500"),
        (
            503,
            json.dumps({"status": {"error": f"down, {KEY} is no help"}}).encode(),
            "status 503, down, .* no help",
        ),
    ],
)
def test_a_server_that_talks_nonsense_is_one_short_message(start_liar, status, body, complaint) -> None:
    with pytest.raises(StoreError, match=complaint) as refusal:
        open_store(StoreConfig(url=start_liar(status, body), api_key=KEY))
    assert KEY not in str(refusal.value)
    assert len(str(refusal.value)) < 700


def test_a_server_that_goes_away_in_between_is_an_error_that_says_so(
    start_rest_double, collection_models, make_chunk
) -> None:
    double = start_rest_double()
    with open_store(StoreConfig(url=double.url, timeout_seconds=2)) as store:
        store.create(collection_models)
        double.shutdown()
        double.server_close()
        with pytest.raises(StoreError, match="Cannot write to the collection 'ragcrawler'"):
            store.upsert([make_chunk(1)])


def test_a_collection_deleted_in_between_is_an_error_that_says_so(
    double, collection_models, make_chunk
) -> None:
    with open_store(config(double)) as store:
        store.create(collection_models)
        double.engine.delete_collection("ragcrawler-1")
        with pytest.raises(StoreError, match=r"status 404.*not found"):
            store.upsert([make_chunk(1)])


@pytest.mark.parametrize(
    ("url", "warned"),
    [("http://qdrant.example:6333", True), ("https://qdrant.example", False), ("http://127.0.0.1:1", False)],
)
def test_a_key_sent_in_the_clear_to_another_machine_is_warned_about(url: str, warned: bool, caplog) -> None:
    from ragcrawler.stores.qdrant_server.connection import connect

    with caplog.at_level(logging.WARNING):
        connect(StoreConfig(url=url, api_key=KEY)).close()
    assert ("unencrypted" in caplog.text) is warned
    assert KEY not in caplog.text


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1 that signs itself, with its key beside it."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a server of ours")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path_factory.mktemp("authority")
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(key.private_bytes(*form))
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return folder


@pytest.fixture(scope="module")
def tls_double(start_rest_double, authority: Path):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority / "certificate.pem", authority / "key.pem")
    return start_rest_double(api_key=KEY, tls=context)


def test_a_server_with_a_certificate_of_an_own_authority_is_trusted_by_setting(
    tls_double, authority: Path, collection_models
) -> None:
    ca_file = str(authority / "certificate.pem")
    with open_store(config(tls_double, ca_file=ca_file)) as store:
        store.create(collection_models)
        assert store.count() == 0


def test_a_certificate_that_nobody_known_signed_is_refused(tls_double) -> None:
    with pytest.raises(StoreError, match="certificate verify failed"):
        open_store(config(tls_double))


def test_a_file_without_certificates_is_named(tls_double, authority: Path) -> None:
    with pytest.raises(StoreError, match=r"key\.pem' cannot be used.*QDRANT_CA_FILE"):
        open_store(config(tls_double, ca_file=str(authority / "key.pem")))


def test_user_and_password_in_the_address_are_never_shown(double) -> None:
    url = double.url.replace("//", "//user:pass-word@") + "/?token=hidden#x"
    from ragcrawler.stores.qdrant_server.connection import shown_address

    assert shown_address(url) == double.url + "/"


def test_the_key_is_in_no_representation_of_the_store(double) -> None:
    with open_store(config(double)) as store:
        assert KEY not in f"{store!r} {store.location}"


def test_big_chunks_are_sent_in_requests_that_a_server_takes(double, collection_models, make_chunk) -> None:
    full_text = "x" * 3_000_000
    with open_store(config(double)) as store:
        store.create(collection_models)
        store.upsert([make_chunk(n, extra=ChunkExtra(full_text=full_text)) for n in range(3)])
    assert [len(body["points"]) for body in sent(double, "PUT /collections/ragcrawler-1/points")] == [1, 1, 1]
