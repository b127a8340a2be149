"""`llms.txt` and `llms-full.txt` of a collection, as https://llmstxt.org describes the first."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import IO, NamedTuple
from urllib.parse import unquote, urlsplit

from ragcrawler.catalogue.exports.atomic_file import atomic_file
from ragcrawler.catalogue.exports.documents import ExportedDocument
from ragcrawler.catalogue.site import site_of

_MAX_TITLE = 200  # characters
_MAX_DESCRIPTION = 300
_START = "Start"


class _Entry(NamedTuple):
    url: str
    title: str
    description: str


def write_llms_text(folder: Path, documents: Iterable[ExportedDocument], name: str) -> int:
    """Write both files; each takes its name when it is whole.

    The documents of one site stand in a section for each first part of a path, those of several in one for
    each site.

    Args:
        folder: made where it is not there; other files in it are left alone.
        documents: in the order of their URLs; one is in memory at a time, its title and address longer.
        name: of the collection, for the heading where there are several sites.

    Returns:
        how many documents there are.

    Raises:
        OSError: they cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    with atomic_file(folder / "llms-full.txt") as out:
        for exported in documents:
            entries.append(_entry(exported))
            _write_whole(out, exported, entries[-1])
    with atomic_file(folder / "llms.txt") as out:
        out.write(_overview(entries, name).encode("utf-8", "replace"))
    return len(entries)


def _entry(exported: ExportedDocument) -> _Entry:
    document = exported.document
    # Readers of llms.txt take a link by a plain pattern: no bracket may stand in it.
    title = _line(document.title, _MAX_TITLE).replace("[", "(").replace("]", ")")
    url = document.url.replace("(", "%28").replace(")", "%29")
    return _Entry(url, title or url, _line(document.metadata.description, _MAX_DESCRIPTION))


def _write_whole(out: IO[bytes], exported: ExportedDocument, entry: _Entry) -> None:
    markdown = exported.document.markdown
    first, _, rest = markdown.partition("\n")
    heading, text = (first, rest) if first.startswith("# ") else (f"# {entry.title}", markdown)
    out.write(f"{heading}\n\nSource: {entry.url}\n\n{text.strip()}\n\n".encode("utf-8", "replace"))


def _overview(entries: list[_Entry], name: str) -> str:
    sites = {site_of(entry.url) for entry in entries}
    start = next((entry for entry in entries if _is_start(entry.url)), None)
    heading, about = name, ""
    if len(sites) == 1:
        heading, about = (start.title, start.description) if start else (next(iter(sites)), "")
    sections = defaultdict(list)
    for entry in entries:
        sections[_section(entry.url) if len(sites) == 1 else site_of(entry.url)].append(entry)
    lines = [f"# {heading}", ""]
    lines += [f"> {about}", ""] if about else []
    for title in sorted(sections, key=lambda title: (title != _START, title)):
        lines += [f"## {title}", "", *map(_link, sections[title]), ""]
    return "\n".join(lines)


def _link(entry: _Entry) -> str:
    return f"- [{entry.title}]({entry.url})" + (f": {entry.description}" if entry.description else "")


def _section(url: str) -> str:
    """The first part of a path that has several, as it stands in the URL."""
    first, slash, _ = urlsplit(url).path.lstrip("/").partition("/")
    return _line(unquote(first), _MAX_TITLE) if slash else _START


def _is_start(url: str) -> bool:
    parts = urlsplit(url)
    return parts.path in {"", "/"} and not parts.query


def _line(text: str, longest: int) -> str:
    """Text of the web as part of one line."""
    words = " ".join(text.split())
    kept = "".join(character for character in words if character.isprintable())
    return kept if len(kept) <= longest else kept[: longest - 1] + "…"
