"""A chunk as the payload of a point, and back.

It is the chunk's record but for what the specifications want otherwise: the section path is one string,
"A > B > C", as in specification 001, with `section_path_list` beside it: a heading may itself hold " > ".
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from ragcrawler.items import SemanticChunk, extra_from_record, extra_record

PATH_SEPARATOR = " > "

_CHUNK_FIELDS = tuple(field.name for field in fields(SemanticChunk) if field.name != "vectors")
_RESHAPED = {"section_path", "headers", "extra", "embed_text", "aliases", "split_sequence"}
_COPIED = tuple(name for name in _CHUNK_FIELDS if name not in _RESHAPED)
_REQUIRED = {
    field.name for field in fields(SemanticChunk) if field.default is field.default_factory is MISSING
}


def chunk_payload(chunk: SemanticChunk) -> dict[str, Any]:
    """The payload of the chunk's point: JSON values only.

    The embedded text mostly ends with the content: then only what stands before it is kept, as
    `embed_prefix`, and the content is not stored twice.
    """
    payload = {name: getattr(chunk, name) for name in _COPIED}
    payload["section_path"] = PATH_SEPARATOR.join(chunk.section_path)
    payload["section_path_list"] = list(chunk.section_path)
    payload["headers"] = dict(chunk.headers)
    payload["split_sequence"] = chunk.split_sequence or None
    payload["extra"] = extra_record(chunk.extra)
    payload["aliases"] = list(chunk.aliases)
    if chunk.embed_text.endswith(chunk.content):
        payload["embed_prefix"] = chunk.embed_text[: len(chunk.embed_text) - len(chunk.content)]
    else:
        payload["embed_text"] = chunk.embed_text
    return payload


def chunk_from_payload(payload: Mapping[str, Any]) -> SemanticChunk:
    """The chunk whose payload this is, without vectors; earlier versions wrote "" and {} for null.

    A field that the version that wrote it did not know has its default.

    Raises:
        KeyError: a field without a default is missing.
        TypeError: a field has another type.
    """
    content = payload["content"]
    # Maps come back in the order of their keys, over gRPC in any: "Header 1" .. "Header 6" is the right one.
    return SemanticChunk(
        **{name: payload[name] for name in _COPIED if name in payload or name in _REQUIRED},
        section_path=tuple(payload.get("section_path_list", ())),
        headers=tuple(sorted(payload.get("headers", {}).items())),
        split_sequence=payload.get("split_sequence") or "",
        extra=extra_from_record(payload.get("extra")),
        aliases=tuple(payload.get("aliases", ())),
        embed_text=payload.get("embed_text", payload.get("embed_prefix", "") + content),
    )
