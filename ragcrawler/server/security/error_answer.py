"""The answer to a request that is refused."""

from collections.abc import Mapping

from starlette.responses import JSONResponse


def error_answer(status: int, message: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The message as JSON, as every endpoint gives its errors."""
    return JSONResponse({"error": message}, status, headers=headers)
