"""Chunks for the eye: a panel each, with its place, kind and size."""

from collections.abc import Iterable
from typing import IO

from ragcrawler.items import SemanticChunk

_COLOURS = {"table": "cyan", "list": "green", "code": "yellow", "image": "magenta", "quote": "blue"}


def print_panels(chunks: Iterable[SemanticChunk], *, target_tokens: int, out: IO[str]) -> None:
    """Write the chunks as panels; the title says where a chunk stands, the line below how big it is."""
    from rich.console import Console, Group
    from rich.panel import Panel
    from rich.text import Text

    console = Console(file=out)
    for chunk in chunks:
        parts = [Text(chunk.content)]
        if chunk.context_before:
            parts.insert(0, Text(f"... {chunk.context_before}\n", style="dim"))
        if chunk.context_after:
            parts.append(Text(f"\n{chunk.context_after} ...", style="dim"))
        console.print(
            Panel(
                Group(*parts),
                title=Text(f"{chunk.position}  {' > '.join(chunk.section_path) or '-'}"),
                title_align="left",
                subtitle=Text(_size(chunk, target_tokens)),
                subtitle_align="right",
                border_style=_COLOURS.get(chunk.chunk_type, "white"),
            )
        )


def _size(chunk: SemanticChunk, target_tokens: int) -> str:
    share = 100 * chunk.token_count // target_tokens
    part = f", part {chunk.split_sequence}" if chunk.split_sequence else ""
    return f"{chunk.chunk_type}, {chunk.token_count} tokens ({share} %){part}"
