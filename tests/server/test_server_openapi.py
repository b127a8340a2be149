"""The API is as its description says; benchmarks/serve_api.py tries it with made-up requests."""

from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from ragcrawler.server.api.endpoints import ENDPOINTS
from tests.server.library import chunk_id

EXAMPLES = {
    "/api/search": "/api/search?q=rotate&context=1",
    "/api/documents": "/api/documents",
    "/api/documents/{document_id}": "/api/documents/guide",
    "/api/documents/{document_id}/chunks": "/api/documents/hostile/chunks",
    "/api/chunks/{chunk_id}": f"/api/chunks/{chunk_id(2)}?context=1",
    "/api/sources": "/api/sources",
    "/api/runs": "/api/runs",
    "/api/runs/{name}": "/api/runs/20260102T030405Z-seeds-1",
    "/api/stats": "/api/stats",
    "/health": "/health",
}


@pytest.fixture(scope="module")
def described(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json").json()
    return found


def test_the_description_names_every_endpoint(described: dict[str, Any]) -> None:
    assert described["openapi"].startswith("3.1")
    paths = {(path, method) for path, methods in described["paths"].items() for method in methods}
    assert paths == {(each.path, each.method.lower()) for each in ENDPOINTS}


READ = [each.path for each in ENDPOINTS if each.method == "GET" and not each.is_of_operator]


@pytest.mark.parametrize("path", READ)
def test_answers_and_refusals_fit_the_description(
    client: httpx.Client, described: dict[str, Any], path: str
) -> None:
    answer = client.get(EXAMPLES[path])
    assert answer.status_code == 200
    answers = described["paths"][path]["get"]["responses"]
    wanted = answers["200"]["content"]["application/json"]["schema"]
    Draft202012Validator({**wanted, "components": described["components"]}).validate(answer.json())
    refused = client.get(EXAMPLES[path], headers={"Origin": "https://evil.test"})
    wanted = answers[str(refused.status_code)]["content"]["application/json"]["schema"]
    Draft202012Validator({**wanted, "components": described["components"]}).validate(refused.json())
