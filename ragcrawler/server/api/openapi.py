"""The description of the API as OpenAPI 3.1, made from the table of endpoints."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from ragcrawler import __version__
from ragcrawler.server.api.endpoint import Endpoint
from ragcrawler.server.services.results import ErrorResult

_REFERENCE = "#/components/schemas/{model}"
_ERRORS = {
    401: "The token is missing or wrong",
    403: "The host or the origin is foreign; or the server has no token, and this needs one",
    404: "There is no such thing",
    405: "The path does not take this method",
    413: "The body is too large",
    415: "The body is no JSON",
    422: "A value is invalid",
    429: "Too many requests",
    503: "The collection or a model is not available at the moment",
}
_EVERYWHERE = (401, 403, 429, 503)
_OF_FORMS = (422,)
_OF_BODIES = (413, 415)


def openapi(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """The description: JSON values only."""
    endpoints = tuple(endpoints)
    models: set[type[BaseModel]] = {each.result for each in endpoints} | {ErrorResult}
    models |= {each.form for each in endpoints if each.form and each.method == "POST"}
    _, definitions = models_json_schema(
        [(each, "serialization") for each in sorted(models, key=lambda model: model.__name__)],
        ref_template=_REFERENCE,
    )
    paths: dict[str, dict[str, Any]] = {}
    for each in endpoints:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "ragcrawler",
            "version": __version__,
            "description": "Search a collection. `ask` alone can cost money, `remove` alone changes it.",
        },
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "schemas": definitions["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "responses": _responses(endpoint),
    }
    parameters = [_path_parameter(name) for name in endpoint.parameters]
    if endpoint.form is not None and endpoint.method == "GET":
        parameters += _query_parameters(endpoint.form)
    elif endpoint.form is not None:
        schema = {"$ref": _REFERENCE.format(model=endpoint.form.__name__)}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return operation | ({"parameters": parameters} if parameters else {})


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    codes = {*_EVERYWHERE, *endpoint.errors, *(_OF_FORMS if endpoint.form else ())}
    codes |= {*_OF_BODIES} if endpoint.method == "POST" else set()
    result = {"$ref": _REFERENCE.format(model=endpoint.result.__name__)}
    error = {"$ref": _REFERENCE.format(model=ErrorResult.__name__)}
    return {
        "200": {"description": "The answer", "content": {"application/json": {"schema": result}}},
        **{
            str(code): {
                "description": _ERRORS[code],
                "content": {"application/json": {"schema": error}},
            }
            for code in sorted(codes)
        },
    }


def _path_parameter(name: str) -> dict[str, Any]:
    schema = {"type": "string", "minLength": 1, "maxLength": 200}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _query_parameters(form: type[BaseModel]) -> list[dict[str, Any]]:
    schema = form.model_json_schema()
    required = set(schema.get("required", ()))
    return [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            **({"description": value["description"]} if "description" in value else {}),
            "schema": _without_null(value),
        }
        for name, value in schema["properties"].items()
    ]


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A query holds no null: a parameter that is left out stands for it."""
    kept = {
        key: value
        for key, value in schema.items()
        if key not in {"description", "title"} and not (key == "default" and value is None)
    }
    choices: list[dict[str, Any]] = [each for each in kept.pop("anyOf", []) if each != {"type": "null"}]
    if len(choices) == 1:
        return {**kept, **choices[0]}
    return {**kept, **({"anyOf": choices} if choices else {})}
