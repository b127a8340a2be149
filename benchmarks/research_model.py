"""A language model for measurements: it reads by rules, and errs as often as it is told to.

Speaks OpenAI's interface on loopback. Of the values that it reads it gives 5 % wrongly, 10 % with the number
of a sentence that there is not, and 5 % with the number of another sentence.
"""

import asyncio
import contextlib
import json
import random
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

_NAME = r"(?P<name>[A-Z][\w.]*(?: [A-Z][\w.]*)*?)"
_RULES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("founded", rf"^{_NAME} was founded in (?P<value>\d{{4}})\.$"),
        ("founded", rf"^The foundation of {_NAME} dates back to (?P<value>\d{{4}})\.$"),
        ("headquarters", rf"^{_NAME} has its headquarters in (?P<value>\w+)\.$"),
        ("headquarters", rf"^The head office of {_NAME} is in (?P<value>\w+)\.$"),
        ("revenue", rf"^{_NAME} had a revenue of (?P<value>\d+ million euros) last year\.$"),
        ("revenue", rf"^Last year {_NAME} earned (?P<value>€[\d,]+)\.$"),
        ("employees", rf"^{_NAME} has (?P<value>[\d,]+) employees\.$"),
        ("employees", rf"^At {_NAME} work (?P<value>[\d,]+) people\.$"),
    )
)


@dataclass
class ReadingModel:
    """Answers requests, and bills them.

    Attributes:
        wrong_value: share of the values that are given wrongly.
        invented: share of the values that come with the number of no sentence.
        wrong_sentence: share of the values that come with the number of another sentence.
        log: the requests that were answered.
        billed: tokens.
        tokens: of each request, by its entry in the log.
    """

    wrong_value: float = 0.05
    invented: float = 0.10
    wrong_sentence: float = 0.05
    seed: int = 1
    log: list[str] = field(default_factory=list)
    billed: Counter[str] = field(default_factory=Counter)
    tokens: dict[str, int] = field(default_factory=dict)
    url: str = ""
    _server: asyncio.Server | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._talk, "127.0.0.1", 0, limit=2**22)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    def close(self) -> None:
        if self._server is not None:
            self._server.close()

    def form(self, name: str, records: list[dict[str, Any]]) -> dict[str, Any]:
        """The form of a request that a name tells, filled in."""
        known = {key: value for record in records for key, value in record.items()}
        if name == "SeedQuestions":
            goal = known["goal"]
            return {"questions": [f"Which {goal}?", f"Where are {goal}?", f"When: {goal}?"]}
        if name == "NarrativeForm":
            return {"sentences": [each for row in known["rows"] for each in self._sentences(row)]}
        return self._reading(known["page"]["sentences"])

    def _reading(self, sentences: list[list[Any]]) -> dict[str, Any]:
        rows: dict[str, dict[str, Any]] = {}
        for number, text in sentences:
            for path, rule in _RULES:
                if match := rule.match(text):
                    row = rows.setdefault(
                        match["name"], {"name": {"value": match["name"], "sentence": number}}
                    )
                    row[path] = self._cited(path, match["value"], number, text, len(sentences))
        return {"rows": list(rows.values()), "leads": []}

    def _cited(self, path: str, value: str, number: int, text: str, last: int) -> dict[str, Any]:
        draw = random.Random(f"{self.seed}{path}{text}").random()
        given: str | int = int(value.replace(",", "")) if path == "employees" else value
        if draw < self.wrong_value:
            wrong = re.sub(r"\d", lambda digit: str((int(digit[0]) + 3) % 10), value)
            given = (
                int(wrong.replace(",", ""))
                if path == "employees"
                else (wrong if wrong != value else "Atlantis")
            )
        elif draw < self.wrong_value + self.invented:
            number = last + 1_000
        elif draw < self.wrong_value + self.invented + self.wrong_sentence:
            number = number % last + 1
        return {"value": given, "sentence": number}

    def _sentences(self, row: dict[str, Any]) -> list[dict[str, Any]]:
        said = {
            "founded": "{name} was founded in {value}.",
            "headquarters": "{name} has its headquarters in {value}.",
            "revenue": "{name} had a revenue of {value}.",
            "employees": "{name} has {value} employees.",
        }
        return [
            {"text": said[fact["field"]].format(name=row["name"], value=fact["value"]), "facts": [fact["id"]]}
            for fact in row["facts"]
            if fact["field"] in said
        ]

    def answer(self, body: Any) -> bytes:
        contents = [message["content"] for message in body["messages"]]
        texts = [part["text"] for each in contents if isinstance(each, list) for part in each]
        texts += [each for each in contents if isinstance(each, str)]
        records = [json.loads(text) for text in texts if text.startswith("{")]
        name = body["tools"][0]["function"]["name"]
        self.log.append(json.dumps(body["messages"], sort_keys=True))
        arguments = json.dumps(self.form(name, records))
        usage = {"prompt_tokens": len(json.dumps(body)) // 4, "completion_tokens": len(arguments) // 4}
        self.billed.update(usage | {"calls": 1})
        self.tokens[self.log[-1]] = sum(usage.values())
        call = {"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        value = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        return json.dumps(value | {"usage": usage | {"total_tokens": sum(usage.values())}}).encode()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A client that has what it wanted hangs up.
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError), contextlib.closing(writer):
            while head := (await reader.readuntil(b"\r\n\r\n")).decode().lower():
                length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
                content = self.answer(json.loads(await reader.readexactly(length)))
                lines = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(content)}"
                writer.write(f"{lines}\r\n\r\n".encode() + content)
                await writer.drain()
