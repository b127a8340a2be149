"""Where in its file a chunk can be read again, and where its relative links lead."""

from bisect import bisect_left
from dataclasses import replace

from ragcrawler.conversion.links import relative_targets
from ragcrawler.items import Document, PageFile, SemanticChunk


def with_places(document: Document, file: PageFile, first_line: int | None) -> Document:
    """The document with each chunk's path, lines, chapter and links.

    Args:
        document: with chunks, whose offsets are those of its Markdown.
        file: that it was read from.
        first_line: 0-based line of the file that the Markdown begins with; None where its lines are not
            those of the file.
    """
    ends = [at for at, sign in enumerate(document.markdown) if sign == "\n"] if first_line is not None else []
    chunks = []
    for chunk in document.chunks:
        extra = replace(chunk.extra, path=file.path, links=_links(chunk, document))
        if first_line is not None:
            extra = replace(
                extra,
                start_line=first_line + bisect_left(ends, chunk.start) + 1,
                end_line=first_line + bisect_left(ends, chunk.end) + 1,
            )
        chunks.append(replace(chunk, chapter=file.chapter, extra=extra))
    return replace(document, chunks=tuple(chunks))


def _links(chunk: SemanticChunk, document: Document) -> tuple[str, ...]:
    return relative_targets(document.markdown[chunk.start : chunk.end], document.url)
