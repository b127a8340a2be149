"""Jupyter notebooks, versions 3 and 4 of their format.

Format: https://nbformat.readthedocs.io/en/latest/format_description.html
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.escaping import fence
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.links import document_links
from ragcrawler.conversion.notebook.outputs import OutputWriter
from ragcrawler.conversion.notebook.pictures import NotebookPictures
from ragcrawler.conversion.notebook.source import text_of
from ragcrawler.conversion.text.plain import file_name
from ragcrawler.conversion.text_cleaning import strip_invisible, without_surrogates
from ragcrawler.items import Metadata

MEDIA_TYPE = "application/x-ipynb+json"
_MAX_CELLS = 20_000
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$|^(\S.*)\n(?:=+|-+)[ \t]*$", re.MULTILINE)
# `%%bash` in the first line of a cell: the rest is of another language.
_MAGIC = re.compile(r"%%(?:script\s+)?(bash|sh|html|javascript|js|latex|markdown|perl|ruby|sql|R|cython)\b")
_LANGUAGE = re.compile(r"[A-Za-z0-9+#.-]{1,30}")


def convert_notebook(text: str, url: str, limits: ConversionLimits) -> Converted:
    """Convert a notebook; each cell is a block, its outputs follow it.

    Raises:
        ConversionError: `damaged` where it is no notebook, `too_large` beyond 20,000 cells, `too_deep`, or
            `empty`.
    """
    notebook = _read(text, url)
    cells = _cells(notebook)
    if len(cells) > _MAX_CELLS:
        raise ConversionError("too_large", f"{len(cells)} cells, over {_MAX_CELLS}", url=url)
    pictures = NotebookPictures()
    writer = OutputWriter(url, limits, pictures)
    language = _language(notebook)
    blocks = [block for cell in cells for block in _cell(cell, language, writer)]
    markdown, hidden_characters = strip_invisible(without_surrogates("\n\n".join(filter(None, blocks))))
    if not markdown.strip():
        raise ConversionError("empty", "no cell of the notebook holds text", url=url)
    markdown = markdown.strip("\n") + "\n"
    said = _mapping(notebook.get("metadata"))
    metadata = Metadata(
        author="; ".join(_authors(said)),
        media_type=MEDIA_TYPE,
        converter="notebook",
        hidden_characters=hidden_characters,
        warnings=tuple(_warnings(writer)),
    )
    return Converted(
        text_of(said.get("title")) or _first_heading(cells) or file_name(url),
        markdown,
        metadata,
        links=document_links(markdown, url),
        pictures=tuple(pictures.found),
    )


def _read(text: str, url: str) -> Mapping[str, Any]:
    try:
        notebook = json.loads(text)
    except RecursionError as error:
        raise ConversionError("too_deep", "the JSON is nested too deeply", url=url) from error
    except ValueError as error:
        raise ConversionError("damaged", f"the notebook is no JSON: {error}", url=url) from error
    if not isinstance(notebook, dict) or not ("cells" in notebook or "worksheets" in notebook):
        raise ConversionError("damaged", "no notebook: it has no cells", url=url)
    return notebook


def _cells(notebook: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    sheets = notebook.get("worksheets")
    holders = [notebook, *(sheets if isinstance(sheets, list) else [])]
    lists = [holder.get("cells") for holder in holders if isinstance(holder, dict)]
    return [cell for cells in lists if isinstance(cells, list) for cell in cells if isinstance(cell, dict)]


def _cell(cell: Mapping[str, Any], language: str, writer: OutputWriter) -> Iterator[str]:
    # Version 3 calls the text of a code cell its input, and has cells for headings.
    source = text_of(cell.get("source", cell.get("input"))).strip("\n").rstrip()
    kind = cell.get("cell_type")
    if kind == "code":
        if source:
            yield fence(source, _magic_language(source) or language)
        yield from writer.write(cell.get("outputs"))
    elif kind == "heading":
        level = cell.get("level")
        yield f"{'#' * min(max(level, 1), 6) if isinstance(level, int) else '#'} {source}"
    elif kind == "raw":
        yield fence(source, "text") if source else ""
    else:
        yield writer.pictures.place(source, _mapping(cell.get("attachments")))


def _magic_language(source: str) -> str:
    magic = _MAGIC.match(source)
    return magic[1].lower() if magic else ""


def _language(notebook: Mapping[str, Any]) -> str:
    """The name of the programming language for fences, "" where none is said."""
    said = _mapping(notebook.get("metadata"))
    kernel, language = _mapping(said.get("kernelspec")), _mapping(said.get("language_info"))
    name = text_of(language.get("name")) or text_of(kernel.get("language")) or text_of(kernel.get("name"))
    name = "python" if name.lower().startswith(("python", "ipython")) else name.lower()
    return name if _LANGUAGE.fullmatch(name) else ""


def _authors(said: Mapping[str, Any]) -> list[str]:
    authors = said.get("authors")
    found = (_mapping(author).get("name") for author in authors) if isinstance(authors, list) else ()
    return [text_of(name) for name in found if text_of(name)]


def _first_heading(cells: list[Mapping[str, Any]]) -> str:
    for cell in cells:
        if cell.get("cell_type") == "heading":
            return text_of(cell.get("source"))
        found = _HEADING.search(text_of(cell.get("source"))) if cell.get("cell_type") == "markdown" else None
        if found:
            return str(next(filter(None, found.groups()))).strip()
    return ""


def _warnings(writer: OutputWriter) -> Iterator[str]:
    for name, count in writer.lost.items():
        yield f"left out: {name} ({count})"
    if writer.pictures.lost:
        yield f"left out: pictures that cannot be read ({writer.pictures.lost})"


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
