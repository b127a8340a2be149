"""Calls of tools by the SDK's own client."""

import json
from collections.abc import AsyncIterator
from typing import Any

from mcp.client import Client
from mcp_types import CallToolResult, ListToolsResult


class Caller:
    """Calls tools, each by a client of its own: a fixture cannot hold one, it ends in another task."""

    def __init__(self, target: Any, mode: str = "auto") -> None:
        self._target = target
        self._mode = mode

    async def list_tools(self) -> ListToolsResult:
        async with Client(self._target, mode=self._mode) as client:
            return await client.list_tools()

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> CallToolResult:
        async with Client(self._target, mode=self._mode) as client:
            return await client.call_tool(name, arguments)

    async def pages(self, name: str, **arguments: Any) -> AsyncIterator[CallToolResult]:
        """An answer and what its cursors lead to; a cursor that leads to itself is an error."""
        cursors: list[str] = []
        while True:
            result = await self.call_tool(name, {**arguments, "cursor": cursors[-1] if cursors else ""})
            yield result
            cursor = answer_of(result).get("next_cursor")
            if cursor is None:
                return
            assert cursor not in cursors
            cursors.append(cursor)

    async def answer(self, name: str, **arguments: Any) -> dict[str, Any]:
        return answer_of(await self.call_tool(name, arguments))


def answer_of(result: CallToolResult) -> dict[str, Any]:
    """The structured answer, which is the same as the text."""
    assert not result.is_error, result.content
    (item,) = result.content
    assert item.type == "text"
    assert json.loads(item.text) == result.structured_content
    found: dict[str, Any] = result.structured_content
    return found


def bare(text: str) -> str:
    """What stands in the envelope."""
    assert text.startswith("<page_text>")
    assert text.endswith("</page_text>")
    return text.removeprefix("<page_text>").removesuffix("</page_text>").strip("\n")
