"""Services that never end an answer, or that send whoever asks elsewhere."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from pydantic import BaseModel

from ragcrawler.llm import bounded_http
from ragcrawler.llm.calls.instructor_model import AsyncInstructorModel
from ragcrawler.llm.calls.model import CallRequest, ModelBusyError
from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.instructor_model import InstructorModel
from ragcrawler.llm.protocol import LanguageModelError, Prompt


class Note(BaseModel):
    """A short text."""

    text: str


PROMPT = Prompt("Write a note.", "a secret of ours")
Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def service(answer: Answer) -> AsyncIterator[tuple[str, list[bytes]]]:
    """Answers each request by `answer`; gives its address and the requests that came."""
    requests: list[bytes] = []
    open_ends: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        open_ends.add(task)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        requests.append(head + await reader.readexactly(length))
        try:
            await answer(writer)
        except ConnectionError:
            pass  # who asked has gone
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", requests
    finally:
        server.close()
        for task in open_ends:
            task.cancel()
        await asyncio.gather(*open_ends, return_exceptions=True)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


async def drip_body(writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD + b"Content-Length: 1000000\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.02)


async def drip_head(writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD + b"X-Long: ")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.02)


async def endless(writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD + b"\r\n{")
    while True:
        writer.write(b" " * 65_536)
        await writer.drain()


async def packed(writer: asyncio.StreamWriter) -> None:
    body = gzip.compress(b" " * 100_000_000, 1)
    writer.write(HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    await writer.drain()


NAMES = ["openai/small", "anthropic/small", "google/small"]


def config_of(
    name: str, address: str, monkeypatch: pytest.MonkeyPatch, **changes: float
) -> LanguageModelConfig:
    monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", address)
    fields = {"timeout_seconds": 30.0, "attempts": 1} | changes
    return LanguageModelConfig(model=name, api_key="sk-key", **fields)  # type: ignore[arg-type]


async def ask(config: LanguageModelConfig) -> None:
    model = AsyncInstructorModel(config)
    try:
        await model.fill(CallRequest(Note, PROMPT, "1", 100))
    finally:
        await model.close()


@pytest.mark.parametrize("drip", [drip_body, drip_head])
@pytest.mark.parametrize("name", NAMES)
async def test_an_answer_that_comes_byte_by_byte_is_given_up_in_time(
    name: str, drip: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(drip) as (address, requests):
        config = config_of(name, address, monkeypatch, timeout_seconds=0.3)
        with pytest.raises(ModelBusyError, match="gave no answer in time") as caught:
            await ask(config)
        assert caught.value.may_be_billed
        with pytest.raises(LanguageModelError, match="gave no answer"):
            await asyncio.to_thread(InstructorModel(config).fill, Note, PROMPT)
    assert len(requests) == 2


@pytest.mark.parametrize(("answer", "said"), [(endless, "more than 16 MiB"), (packed, r"packed \(gzip\)")])
@pytest.mark.parametrize("name", NAMES)
async def test_an_answer_without_end_is_read_up_to_16_mib(
    name: str, answer: Answer, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(answer) as (address, _):
        config = config_of(name, address, monkeypatch)
        with pytest.raises(ModelBusyError, match=f"a damaged answer: AnswerBoundError: .*{said}"):
            await ask(config)
        with pytest.raises(LanguageModelError, match=said):
            await asyncio.to_thread(InstructorModel(config).fill, Note, PROMPT)


@pytest.mark.parametrize("name", NAMES)
async def test_no_prompt_follows_a_redirect_to_another_host(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 no\r\nContent-Length: 0\r\n\r\n")

    async with service(refuse) as (elsewhere, stolen):

        async def redirect(writer: asyncio.StreamWriter) -> None:
            place = f"Location: {elsewhere}/v1/chat/completions\r\n".encode()
            writer.write(b"HTTP/1.1 307 there\r\nContent-Length: 0\r\n" + place + b"\r\n")

        async with service(redirect) as (address, requests):
            config = config_of(name, address, monkeypatch)
            with pytest.raises(LanguageModelError, match="answered 307"):
                await ask(config)
            with pytest.raises(LanguageModelError, match="307"):
                await asyncio.to_thread(InstructorModel(config).fill, Note, PROMPT)
    assert len(requests) == 2
    assert b"a secret of ours" in requests[0]
    assert stolen == []


async def test_an_answer_of_just_16_mib_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_http, "_MEBIBYTE", 64)
    message = {"role": "assistant", "content": None, "tool_calls": []}
    call = {"name": "Note", "arguments": json.dumps({"text": "short"})}
    message["tool_calls"] = [{"id": "c", "type": "function", "function": call}]
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    value = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
    body = json.dumps(value).encode()

    async def answer(writer: asyncio.StreamWriter) -> None:
        whole = body.ljust(16 * 64)
        writer.write(HEAD + b"Content-Length: %d\r\n\r\n" % len(whole) + whole)
        await writer.drain()

    async with service(answer) as (address, _):
        filled = await asyncio.to_thread(
            InstructorModel(config_of("openai/small", address, monkeypatch)).fill, Note, PROMPT
        )
    assert filled == Note(text="short")
