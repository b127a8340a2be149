"""The key by which two equal calls are recognised, and the most tokens that one may use."""

import hashlib
import json
from typing import Any

from ragcrawler.llm.calls.model import CallRequest
from ragcrawler.llm.calls.usage import Usage

# English text has four characters a token, other scripts two to three bytes: a reservation may be too high,
# and should not be too low.
_CHARACTERS_A_TOKEN = 3
_BYTES_A_TOKEN = 2
_OVERHEAD_TOKENS = 50


def call_key(model: str, request: CallRequest[Any]) -> bytes:
    """SHA-256 of model, prompt, its version, form and length of the answer.

    The document of the prompt counts by its text, or by its name where it has one.
    """
    prompt = request.prompt
    parts = [
        model,
        request.version,
        prompt.instructions,
        ["subject", request.subject] if request.subject else prompt.document,
        prompt.material,
        request.form.model_json_schema(),
        request.max_output_tokens,
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).digest()


def expected_usage(request: CallRequest[Any]) -> Usage:
    """The most that a call is expected to use, by the length of its texts."""
    prompt = request.prompt
    schema = json.dumps(request.form.model_json_schema())
    texts = (prompt.instructions, prompt.document, prompt.material, schema)
    return Usage(sum(map(_tokens, texts)) + _OVERHEAD_TOKENS, request.max_output_tokens)


def _tokens(text: str) -> int:
    size = len(text.encode("utf-8", "surrogatepass"))
    # Of n characters outside ASCII each has one byte or more above the first.
    if size == len(text):
        return size // _CHARACTERS_A_TOKEN + 1
    plain = sum(sign.isascii() for sign in text)
    return plain // _CHARACTERS_A_TOKEN + (size - plain) // _BYTES_A_TOKEN + 1
