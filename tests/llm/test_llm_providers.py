"""Providers by name, each through its own client against a loopback double of its interface."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pydantic import BaseModel

from ragcrawler.llm.calls.instructor_model import AsyncInstructorModel
from ragcrawler.llm.calls.model import CallRequest, ModelBusyError, ModelRefusedError
from ragcrawler.llm.calls.usage import Usage
from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.protocol import LanguageModelError, Prompt


class Note(BaseModel):
    """A short text."""

    text: str


REQUEST = CallRequest(Note, Prompt("Write a note.", "the chunk", "the page"), "1", 100)


class ProviderDouble(ThreadingHTTPServer):
    """Answers in the interface that is spoken to it: OpenAI's, Anthropic's or Gemini's."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        self.status = 200
        self.url = f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: ProviderDouble

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.requests.append((self.path, headers, body))
        answer: Any = {"error": {"message": "no", "code": self.server.status, "status": "NO"}}
        data = json.dumps(_answer(self.path) if self.server.status == 200 else answer).encode()
        self.send_response(self.server.status)
        self.send_header("content-type", "application/json")
        self.send_header("retry-after", "7")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _answer(path: str) -> Any:
    """An answer of 10 tokens read, 4 of them from a cache, and 8 written."""
    form = {"text": "short"}
    if "generateContent" in path:
        part = {"functionCall": {"name": "Note", "args": form}}
        counts = {"promptTokenCount": 10, "candidatesTokenCount": 5, "thoughtsTokenCount": 3}
        usage = counts | {"cachedContentTokenCount": 4, "totalTokenCount": 18}
        content = {"role": "model", "parts": [part]}
        return {"candidates": [{"content": content, "finishReason": "STOP"}], "usageMetadata": usage}
    if path.endswith("/messages"):
        used = {"type": "tool_use", "id": "t", "name": "Note", "input": form}
        counts = {"input_tokens": 4, "cache_creation_input_tokens": 2, "cache_read_input_tokens": 4}
        value = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [used]}
        return value | {
            "stop_reason": "tool_use",
            "stop_sequence": None,
            "usage": counts | {"output_tokens": 8},
        }
    call = {"name": "Note", "arguments": json.dumps(form)}
    message = {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": call}]}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    usage = {"prompt_tokens": 10, "completion_tokens": 8, "total_tokens": 18}
    value = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
    return value | {"usage": usage | {"prompt_tokens_details": {"cached_tokens": 4}}}


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Iterator[ProviderDouble]:
    """One that the clients of all providers take for their own service."""
    with ProviderDouble() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        monkeypatch.setattr("ragcrawler.llm.async_client._OLLAMA", f"{server.url}/v1")
        yield server
        server.shutdown()
        thread.join()


NAMES = ["openai/small", "anthropic/small", "google/small", "gemini/small", "ollama/small"]


async def filled(name: str) -> tuple[Note, Usage]:
    model = AsyncInstructorModel(LanguageModelConfig(model=name, api_key="sk-key", timeout_seconds=5.0))
    try:
        return await model.fill(REQUEST)
    finally:
        await model.close()


@pytest.mark.parametrize("name", NAMES)
async def test_each_provider_fills_the_form_and_says_what_it_used(name: str, double: ProviderDouble) -> None:
    assert await filled(name) == (Note(text="short"), Usage(10, 8, 4))
    ((_, headers, body),) = double.requests
    assert "sk-key" in " ".join(headers.values())
    sent = json.dumps(body)
    assert sent.index("the page") < sent.index("the chunk")
    assert "Write a note." in sent


@pytest.mark.parametrize(
    ("name", "path", "bound"),
    [
        ("openai/small", "/v1/chat/completions", {"max_completion_tokens": 100, "temperature": 0.0}),
        ("ollama/small", "/v1/chat/completions", {"max_tokens": 100, "temperature": 0.0, "model": "small"}),
        ("anthropic/small", "/v1/messages", {"max_tokens": 100, "temperature": 0.0, "model": "small"}),
    ],
)
async def test_the_bound_of_an_answer_is_named_as_the_provider_wants(
    name: str, path: str, bound: dict[str, object], double: ProviderDouble
) -> None:
    await filled(name)
    ((asked, _, body),) = double.requests
    assert asked == path
    assert {key: body[key] for key in bound} == bound


async def test_gemini_gets_bound_and_temperature_in_its_own_place(double: ProviderDouble) -> None:
    await filled("gemini/small")
    ((path, _, body),) = double.requests
    assert path.endswith("/models/small:generateContent")
    assert body["generationConfig"] == {"temperature": 0.0, "maxOutputTokens": 100}


async def test_anthropic_is_told_to_keep_the_document(double: ProviderDouble) -> None:
    await filled("anthropic/small")
    content = double.requests[0][2]["messages"][0]["content"]
    assert content[0] == {"type": "text", "text": "the page", "cache_control": {"type": "ephemeral"}}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("status", "kind"), [(429, ModelBusyError), (503, ModelBusyError), (401, ModelRefusedError)]
)
async def test_each_provider_is_asked_once_and_its_refusal_is_understood(
    name: str, status: int, kind: type[LanguageModelError], double: ProviderDouble
) -> None:
    double.status = status
    with pytest.raises(kind, match=f"answered {status}") as caught:
        await filled(name)
    assert len(double.requests) == 1
    assert getattr(caught.value, "seconds", 7.0) == 7.0
    assert "sk-key" not in str(caught.value)


def test_a_provider_whose_client_is_not_installed_is_refused_with_its_name() -> None:
    with pytest.raises(LanguageModelError, match="'nobody/model' cannot be opened"):
        AsyncInstructorModel(LanguageModelConfig(model="nobody/model"))
