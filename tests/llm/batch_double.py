"""The batch interfaces of OpenAI and Anthropic on loopback; batches end when the test says so."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DATE = "2026-01-01T00:00:00Z"
READ, WRITTEN = 100, 10


class BatchDouble(ThreadingHTTPServer):
    """Takes batches, and answers their calls once `end` was called.

    Attributes:
        batches: the calls of each batch by name: their bodies.
        endings: by the text of a call's material: `invalid`, `error` or `expired` in place of an answer.
        status: with which every request is answered; 0 to serve it.
        refusal: of OpenAI's interface, with which all batches fail as a whole; "" for none.
        loses_answer: take the next batch, and answer 500 all the same.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.batches: dict[str, dict[str, Any]] = {}
        self.metadata: dict[str, Any] = {}
        self.over: set[str] = set()
        self.cancelled: set[str] = set()
        self.files: dict[str, bytes] = {}
        self.endings: Callable[[str], str] = lambda text: ""
        self.status = 0
        self.refusal = ""
        self.loses_answer = False
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def texts(self) -> list[str]:
        """The material of each call that came."""
        return [_text(body) for calls in self.batches.values() for body in calls.values()]

    def end(self) -> None:
        """End all batches."""
        self.over |= set(self.batches)

    def close(self) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: BatchDouble

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        self._serve(lambda: self._post(self.path, body))

    def do_GET(self) -> None:
        self._serve(lambda: self._get(self.path.partition("?")[0]))

    def _serve(self, answer: Callable[[], Any]) -> None:
        value = {"error": {"message": "no", "type": "error"}} if self.server.status else answer()
        status = self.server.status
        if self.server.loses_answer and self.server.batches:
            self.server.loses_answer, status = False, 500
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status or 200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _post(self, path: str, body: bytes) -> Any:
        server = self.server
        if path.endswith("/cancel"):
            name = path.split("/")[-2]
            server.cancelled.add(name)
            server.over.add(name)
            return self._batch(name)
        if path == "/v1/files":
            name = f"file-{len(server.files)}"
            server.files[name] = next(
                part for part in body.split(b"\r\n\r\n") if part.startswith(b'{"custom')
            )
            return {
                "id": name,
                "object": "file",
                "bytes": 1,
                "created_at": 0,
                "filename": "f",
                "purpose": "batch",
            }
        value, name = json.loads(body), f"batch-{len(server.batches)}"
        if path == "/v1/batches":
            lines = server.files[value["input_file_id"]].rpartition(b"\r\n--")[0].splitlines()
            calls = [json.loads(line) for line in lines if line.strip()]
            server.batches[name] = {call["custom_id"]: call["body"] for call in calls}
            server.metadata[name] = value["metadata"]
        else:
            server.batches[name] = {call["custom_id"]: call["params"] for call in value["requests"]}
        return self._batch(name)

    def _get(self, path: str) -> Any:
        server = self.server
        last = path.rsplit("/", 1)[1]
        if last == "batches":
            listed = [self._batch(name) for name in reversed(server.batches)]
            return {"object": "list", "data": listed, "has_more": False, "first_id": None, "last_id": None}
        if last == "results":
            name = path.split("/")[-2]
            return _lines(self._anthropic(each, body) for each, body in self._ended(name))
        if last == "content":
            name = path.split("/")[-2].removeprefix("output-")
            return _lines(self._openai(each, body) for each, body in self._ended(name))
        return self._batch(last)

    def _ended(self, name: str) -> list[tuple[str, Any]]:
        calls = list(self.server.batches[name].items())
        return calls[: len(calls) // 2 if name in self.server.cancelled else None][::-1]

    def _batch(self, name: str) -> dict[str, Any]:
        is_over, count = name in self.server.over, len(self.server.batches[name])
        refusal = self.server.refusal
        if "/messages/" in self.path:
            none = dict.fromkeys(("canceled", "errored", "expired", "processing", "succeeded"), 0)
            return {
                "id": name,
                "type": "message_batch",
                "processing_status": "ended" if is_over else "in_progress",
                "request_counts": none | {"succeeded" if is_over else "processing": count},
                "results_url": f"{self.server.url}/v1/messages/batches/{name}/results" if is_over else None,
                "created_at": DATE,
                "expires_at": DATE,
            }
        return {
            "id": name,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "input_file_id": "file-0",
            "created_at": 0,
            "status": ("failed" if refusal else "completed") if is_over else "in_progress",
            "errors": {"object": "list", "data": [{"message": refusal}]} if refusal else None,
            "output_file_id": f"output-{name}" if is_over and not refusal else None,
            "metadata": self.server.metadata[name],
        }

    def _openai(self, name: str, body: Any) -> dict[str, Any]:
        ending = self.server.endings(_text(body))
        if ending in ("error", "expired"):
            return {"custom_id": name, "response": None, "error": {"code": ending, "message": ending}}
        form = json.dumps(_form(body, ending))
        call = {"id": "c", "type": "function", "function": {"name": "SummaryForm", "arguments": form}}
        usage = {"prompt_tokens": READ, "completion_tokens": WRITTEN, "total_tokens": READ + WRITTEN}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        answer = {"choices": [{"index": 0, "finish_reason": "stop", "message": message}], "usage": usage}
        return {"custom_id": name, "response": {"status_code": 200, "body": answer}, "error": None}

    def _anthropic(self, name: str, body: Any) -> dict[str, Any]:
        ending = self.server.endings(_text(body))
        if ending == "expired":
            return {"custom_id": name, "result": {"type": "expired"}}
        if ending == "error":
            error = {"type": "error", "error": {"type": "api_error", "message": "error"}}
            return {"custom_id": name, "result": {"type": "errored", "error": error}}
        block = {"type": "tool_use", "id": "t", "name": "SummaryForm", "input": _form(body, ending)}
        message = {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": "small",
            "content": [block],
            "stop_reason": "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": READ, "output_tokens": WRITTEN},
        }
        return {"custom_id": name, "result": {"type": "succeeded", "message": message}}


def _form(body: Any, ending: str) -> dict[str, str]:
    return {"other": "x"} if ending == "invalid" else {"summary": f"about {_text(body)}"[:200]}


def _text(body: Any) -> str:
    content = body["messages"][-1]["content"]
    return str(content if isinstance(content, str) else content[-1]["text"])


def _lines(values: Any) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()
