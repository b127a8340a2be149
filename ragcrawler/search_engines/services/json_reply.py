"""JSON from services, read without trust in its form."""

import json
import re
from typing import Any

from ragcrawler.search_engines.answer import EngineAnswer, SearchState
from ragcrawler.search_engines.engine import EngineReply

_TAG = re.compile(r"<[^<>]{0,200}>")
_MESSAGE_CHARACTERS = 200
TITLE_CHARACTERS = 300
SNIPPET_CHARACTERS = 1_000
_TOO_MANY_REQUESTS = 429
OK = 200


def json_object(reply: EngineReply) -> dict[str, Any] | None:
    """The object that a body is; None where it is none."""
    try:
        value = json.loads(reply.body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def text_of(value: object, characters: int = TITLE_CHARACTERS) -> str:
    """Plain text of a value: no tags, spaces joined, cut."""
    if not isinstance(value, str):
        return ""
    return " ".join(_TAG.sub("", value[: 4 * characters]).split())[:characters]


def items_of(value: object, *path: str) -> list[dict[str, Any]]:
    """The objects of the list at a path; empty where there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def refused(reply: EngineReply, message: str, *, secret: str = "") -> EngineAnswer:
    """The answer for a status that is not 200, the secret masked wherever the service repeats it."""
    text = " ".join(message.split())
    text = text.replace(secret, "***") if secret else text
    shown = f"HTTP {reply.status}" + (f": {text[:_MESSAGE_CHARACTERS]}" if text else "")
    if reply.status == _TOO_MANY_REQUESTS:
        return EngineAnswer(SearchState.BLOCKED, message=shown, pause_seconds=reply.asked_pause)
    return EngineAnswer(SearchState.FAILED, message=shown)


def unreadable(name: str) -> EngineAnswer:
    """The answer for a body of another form."""
    return EngineAnswer(SearchState.FAILED, message=f"the answer of {name} is no JSON of the documented form")
