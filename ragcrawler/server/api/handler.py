"""Endpoints as handlers of Starlette."""

import json
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, get_origin
from urllib.parse import parse_qsl

import anyio
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ragcrawler.server.api.endpoint import Endpoint
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.errors import (
    InvalidRequestError,
    NotFoundError,
    ServiceError,
    UnavailableError,
)
from ragcrawler.server.services.forms import Form
from ragcrawler.urls.credentials import mask_credentials

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

FormT = TypeVar("FormT", bound=Form)
ResultT = TypeVar("ResultT")
Handler = Callable[[Request], Awaitable[Response]]

_MOST_BODY_BYTES = 64 * 1024
_MOST_FIELDS = 1_000
_FORM_TYPE = "application/x-www-form-urlencoded"
_MESSAGES = {
    "extra_forbidden": "is no option here",
    "finite_number": "is no number",
    "float_parsing": "is no number",
    "greater_than_equal": "is less than {ge:,}",
    "int_parsing": "is no whole number",
    "less_than_equal": "is over {le:,}",
    "literal_error": "should be {expected}",
    "missing": "is missing",
    "string_pattern_mismatch": "is empty",  # the one pattern of the forms asks for a letter
    "string_too_long": "has over {max_length:,} characters",
    "string_too_short": "is empty",
    "too_long": "is given over {max_length} times",
}
_STATUSES: dict[type[ServiceError], int] = {
    InvalidRequestError: 422,
    NotFoundError: 404,
    UnavailableError: 503,
}


class Workers:
    """Runs services, which block, in a bounded number of threads.

    Args:
        collection: that they read.
        searches: how many run at once.
        asks: how many questions to the language model, which take long.
    """

    def __init__(self, collection: ServedCollection, *, searches: int = 8, asks: int = 2) -> None:
        self.collection = collection
        self._searches = anyio.CapacityLimiter(searches)
        self._asks = anyio.CapacityLimiter(asks)

    async def run(self, service: Callable[..., ResultT], *values: Any, is_ask: bool = False) -> ResultT:
        """The service's result.

        Raises:
            HTTPException: the service refused the request, with the status that says how.
        """
        call = partial(service, self.collection, *values)
        try:
            return await anyio.to_thread.run_sync(call, limiter=self._asks if is_ask else self._searches)
        except ServiceError as error:
            message = mask_credentials(" ".join(str(error).split()))
            raise HTTPException(_STATUSES[type(error)], message) from error


def endpoint_handler(endpoint: Endpoint, workers: Workers) -> Handler:
    """The handler of an endpoint: reads the form, asks the service, writes the result."""

    async def handle(request: Request) -> Response:
        form = await _read_form(endpoint, request)
        call = partial(_call, endpoint, parameters=request.path_params, form=form)
        result = await workers.run(call, is_ask=endpoint.asks_model)
        return Response(result.model_dump_json(), media_type="application/json")

    return handle


async def without_token(_: Request) -> Response:
    """Refuse what only the operator may do: nobody can show that they are.

    Raises:
        HTTPException: 403.
    """
    raise HTTPException(403, "This is for the operator alone: set SERVER_TOKEN, and send it.")


def query_form(form: type[FormT], request: Request) -> FormT:
    """The form of a query.

    Raises:
        HTTPException: 422, a value is invalid; 400, one is given twice that may be given once.
    """
    values: dict[str, Any] = {}
    for name in request.query_params:
        given = request.query_params.getlist(name)
        field = form.model_fields.get(name)
        is_list = field is not None and get_origin(field.annotation) is list
        if len(given) > 1 and not is_list:
            raise HTTPException(422, f"{name} is given {len(given)} times: give it once.")
        values[name] = given if is_list else given[0]
    return _checked(form, values)


async def posted_form(form: type[FormT], request: Request) -> FormT:
    """A form that a browser sent.

    Raises:
        HTTPException: it is of another kind, too large, or holds an invalid value.
    """
    if _media_type(request) != _FORM_TYPE:
        raise HTTPException(415, f"Send a form, with Content-Type: {_FORM_TYPE}.")
    body = (await _read_body(request)).decode("utf-8", "replace")
    return _checked(form, dict(parse_qsl(body, max_num_fields=_MOST_FIELDS)))


def _call(endpoint: Endpoint, collection: ServedCollection, **given: Any) -> Any:
    return endpoint.call(collection, given["parameters"], given["form"])


async def _read_form(endpoint: Endpoint, request: Request) -> Form | None:
    if endpoint.form is None:
        return None
    if endpoint.method == "GET":
        return query_form(endpoint.form, request)
    return _checked(endpoint.form, await _read_json(request), is_strict=True)


async def _read_json(request: Request) -> Any:
    if _media_type(request) != "application/json":
        raise HTTPException(415, "Send JSON, with Content-Type: application/json.")
    try:
        return json.loads(await _read_body(request))
    except (ValueError, RecursionError) as error:
        raise HTTPException(422, "The body is no JSON.") from error


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def _read_body(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _MOST_BODY_BYTES:
            raise HTTPException(413, f"The body has over {_MOST_BODY_BYTES:,} bytes.")
    return body


def _checked(form: type[FormT], values: Any, *, is_strict: bool = False) -> FormT:
    """The form; in JSON a number is a number, in a query all is text."""
    try:
        return form.model_validate(values, strict=is_strict)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)
        raise HTTPException(422, "; ".join(map(_said, wrong[:5])) + ".") from error


def _said(error: "ErrorDetails") -> str:
    """What is wrong with a value, in words for people."""
    name = error["loc"][0] if error["loc"] else "the body"
    message = _MESSAGES.get(error["type"])
    return f"{name} {message.format(**error.get('ctx', {}))}" if message else f"{name}: {error['msg']}"
