"""An OpenAI-compatible endpoint on loopback that bills what it answers."""

import asyncio
import dataclasses
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

Behaviour = str | tuple[int, dict[str, str]]
"""`ok`, `invalid` (fits no form), `cut` (a form that ends early), `long` (at the bound of an answer),
`damaged` (JSON that ends early), `hang`, or a status with headers."""


@dataclass
class BillingDouble:
    """Answers by `behave(number of the request, body)`; a request is billed when it is answered with 200."""

    behave: Callable[[int, Any], Behaviour] = lambda number, body: "ok"
    field: str = "text"
    url: str = ""
    bodies: list[Any] = dataclasses.field(default_factory=list)
    billed: Counter[str] = dataclasses.field(default_factory=Counter)
    at_once: int = 0
    most_at_once: int = 0
    gate: asyncio.Event = dataclasses.field(default_factory=asyncio.Event)

    @property
    def texts(self) -> list[str]:
        """The material of each request that came, in order."""
        return [_material(body) for body in self.bodies]

    async def answer(self, body: Any) -> tuple[int, dict[str, str], bytes]:
        self.bodies.append(body)
        behaviour = self.behave(len(self.bodies), body)
        await self.gate.wait()
        if isinstance(behaviour, tuple):
            return behaviour[0], behaviour[1], b'{"error": {"message": "not now", "type": "error"}}'
        if behaviour == "hang":
            await asyncio.Event().wait()
        arguments = json.dumps({self.field: f"about {_material(body)}"[:1000]})
        arguments = {"invalid": '{"other": 1}', "cut": arguments[:-4]}.get(behaviour, arguments)
        usage = {"prompt_tokens": len(json.dumps(body["messages"])), "completion_tokens": len(arguments)}
        usage["total_tokens"] = sum(usage.values())
        self.billed.update(usage)
        name = body["tools"][0]["function"]["name"]
        call = {"id": "call-1", "type": "function", "function": {"name": name, "arguments": arguments}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        ending = "length" if behaviour == "long" else "stop"
        choice = {"index": 0, "finish_reason": ending, "message": message}
        value = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        answer = json.dumps(value | {"usage": usage}).encode()
        return 200, {}, answer[:40] if behaviour == "damaged" else answer

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
            self.at_once += 1
            self.most_at_once = max(self.at_once, self.most_at_once)
            status, headers, content = await self.answer(json.loads(await reader.readexactly(length)))
            self.at_once -= 1
            headers = {"content-type": "application/json", "content-length": str(len(content)), **headers}
            lines = [f"HTTP/1.1 {status} x", "connection: close", *(f"{n}: {v}" for n, v in headers.items())]
            writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + content)
            await writer.drain()
        finally:
            writer.close()


@asynccontextmanager
async def billing_double(
    behave: Callable[[int, Any], Behaviour] | None = None, field: str = "text"
) -> AsyncIterator[BillingDouble]:
    double = BillingDouble(field=field) if behave is None else BillingDouble(behave, field)
    double.gate.set()
    connections: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        connections.add(task)
        task.add_done_callback(connections.discard)
        await double.serve(reader, writer)

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    double.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    yield double
    server.close()
    for task in connections:
        task.cancel()
    await asyncio.gather(*connections, return_exceptions=True)


def _material(body: Any) -> str:
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else content[-1]["text"]
