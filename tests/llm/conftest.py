"""An OpenAI-compatible endpoint on loopback that says what it is told to."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


class ChatDouble(ThreadingHTTPServer):
    """Answers each chat completion with the next of `replies`; `requests` are the bodies that came.

    A reply is the fields of a form, a text, or a status with an error's message.
    """

    daemon_threads = True

    def __init__(self, *replies: dict[str, Any] | str | tuple[int, str]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.replies = list(replies)
        self.requests: list[Any] = []
        self.keys: list[str | None] = []
        self.released = threading.Event()
        self.calls_tools = True
        self.finish_reason = "stop"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: ChatDouble

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.requests.append(body)
        self.server.keys.append(self.headers.get("authorization"))
        if not self.server.replies:
            self.server.released.wait(30)
            return
        reply = self.server.replies.pop(0)
        if isinstance(reply, tuple):
            self.send(reply[0], {"error": {"message": reply[1], "type": "error"}})
        else:
            self.send(200, completion(reply, body, self.server))

    def send(self, status: int, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def completion(reply: dict[str, Any] | str, body: Any, double: ChatDouble) -> dict[str, Any]:
    text = reply if isinstance(reply, str) else json.dumps(reply)
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if body.get("tools") and double.calls_tools:
        name = body["tools"][0]["function"]["name"]
        call = {"id": "call-1", "type": "function", "function": {"name": name, "arguments": text}}
        message |= {"content": None, "tool_calls": [call]}
    choice = {"index": 0, "finish_reason": double.finish_reason, "message": message}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [choice],
        "usage": usage,
    }


@pytest.fixture
def start_chat_double() -> Iterator[Callable[..., ChatDouble]]:
    started: list[ChatDouble] = []

    def start(*replies: Any) -> ChatDouble:
        double = ChatDouble(*replies)
        threading.Thread(target=double.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        started.append(double)
        return double

    yield start
    for double in started:
        double.released.set()
        double.shutdown()
        double.server_close()
