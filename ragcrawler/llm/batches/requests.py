"""The body of a call in a batch: the one that the same call has by itself."""

from typing import Any

from ragcrawler.llm.calls.model import CallRequest
from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.instructor_client import bounds, messages


def request_body(
    config: LanguageModelConfig, request: CallRequest[Any], name: str, client: Any
) -> dict[str, Any]:
    """The JSON of a request, in the way that instructor asks for a form.

    Args:
        config: of the model.
        request: the call.
        name: of the model, as the provider knows it.
        client: of instructor, which knows the provider and how it is asked.
    """
    from instructor.processing.response import handle_response_model

    _, body = handle_response_model(
        request.form,
        mode=client.mode,
        provider=client.provider,
        messages=messages(config, request.prompt),
        model=name,
        temperature=0.0,
        **bounds(config, request.max_output_tokens),
    )
    made: dict[str, Any] = body
    return made
