"""Every rule of the specifications as a text: a document, and the chunks it becomes.

A case has three parts, each ended by a line with a single dot: a title and the settings that differ from the
test's own (`rule name | max_tokens=20`), the Markdown, the chunks. A word is a token. A chunk shows its kind,
path and size and what else its rule is about, then its content.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.chunking import ChunkingConfig, TokenCounter, chunk_markdown
from ragcrawler.items import SemanticChunk

_BASE = ChunkingConfig(target_tokens=20, max_tokens=20, min_tokens=4, overlap_tokens=0)


@dataclass(frozen=True)
class GoldenCase:
    title: str
    settings: dict[str, str]
    markdown: str
    expected: str

    @property
    def config(self) -> ChunkingConfig:
        named: dict[str, Any] = {
            name: int(value) if value.isdigit() else value
            for name, value in self.settings.items()
            if name not in ("title", "url", "show")
        }
        return replace(_BASE, **named)


def _cases() -> list[GoldenCase]:
    cases = []
    for file in sorted((Path(__file__).parent / "golden").glob("*.txt")):
        parts = file.read_text(encoding="utf-8").split("\n.\n")
        for head, markdown, expected in zip(parts[0::3], parts[1::3], parts[2::3], strict=False):
            title, _, settings = head.strip().partition(" | ")
            named = dict(pair.split("=", 1) for pair in settings.split(", ") if pair)
            cases.append(GoldenCase(f"{file.stem}: {title}", named, markdown, expected.strip("\n")))
    return cases


def _shown(chunk: SemanticChunk, fields: list[str]) -> str:
    path = " > ".join(chunk.section_path) or "-"
    more = "".join(f" | {name}={_value(chunk, name)}" for name in fields)
    return f"=== {chunk.chunk_type} | {path} | {chunk.token_count}{more}\n{chunk.content}"


def _value(chunk: SemanticChunk, name: str) -> object:
    value = getattr(chunk, name) if hasattr(chunk, name) else getattr(chunk.extra, name)
    return dict(value) if name == "headers" else value


def _chunked(case: GoldenCase, words: TokenCounter) -> str:
    fields = case.settings.get("show", "").split()
    chunks = chunk_markdown(
        case.markdown,
        config=case.config,
        tokens=words,
        document_id="doc",
        url=case.settings.get("url", ""),
        title=case.settings.get("title", ""),
    )
    return "\n".join(_shown(chunk, fields) for chunk in chunks)


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case.title)
def test_a_document_becomes_the_chunks_that_stand_beside_it(case: GoldenCase, words: TokenCounter) -> None:
    assert _chunked(case, words) == case.expected


def test_there_is_a_case_for_every_kind_of_rule() -> None:
    kinds = {case.title.partition(":")[0] for case in _cases()}

    assert kinds == {"code", "headings", "images", "lists", "overlap", "short", "tables", "text"}
