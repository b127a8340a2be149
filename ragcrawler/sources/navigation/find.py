"""Finds the navigation of a folder: that of mdBook, MkDocs or Docusaurus."""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ragcrawler.sources.navigation.docusaurus import DocusaurusSidebars
from ragcrawler.sources.navigation.entry import (
    MAX_BYTES,
    MAX_ENTRIES,
    Navigation,
    NavigationEntry,
    NavigationError,
)
from ragcrawler.sources.navigation.mkdocs import MkDocsFile

_SCRIPTS = ("sidebars.js", "sidebars.ts", "sidebars.mjs", "sidebars.cjs")


@dataclass(frozen=True, slots=True)
class KnownPages:
    """The pages of a folder before its navigation is read.

    Attributes:
        ordered_paths: the files, in the order that they have without a navigation.
        ids: path to the `id` that its front matter gives.
    """

    ordered_paths: Sequence[str]
    ids: Mapping[str, str]


def find_navigation(root: Path, known: KnownPages) -> Navigation:
    """The navigation of a folder: of mdBook, else of MkDocs, else of Docusaurus; empty where there is none.

    It lies in the folder, in its `src` (mdBook), or beside it, for the folder may be the `docs` of a project.
    """
    finders: Iterable[Callable[[Path, KnownPages], Navigation | None]] = (_mdbook, _mkdocs, _docusaurus)
    warnings: list[str] = []
    for find in finders:
        try:
            found = find(root, known)
        except (OSError, UnicodeDecodeError, NavigationError) as error:
            warnings.append(f"a navigation that cannot be read is left out: {error}")
            continue
        if found is not None:
            return Navigation(found.entries, found.files, (*warnings, *found.warnings))
    return Navigation(warnings=tuple(warnings))


def _mdbook(root: Path, known: KnownPages) -> Navigation | None:
    for folder in ("", "src"):
        path = posixpath.join(folder, "SUMMARY.md")
        if (root / path).is_file():
            return _navigation(mdbook_entries(_text(root / path), folder), known, {path})
    return None


def _mkdocs(root: Path, known: KnownPages) -> Navigation | None:
    for place in (root, root.resolve().parent):
        for name in ("mkdocs.yml", "mkdocs.yaml"):
            if not (place / name).is_file():
                continue
            try:
                file = MkDocsFile.parse(_text(place / name))
            except NavigationError as error:
                raise NavigationError(f"{place / name}: {error}") from error
            folder = _folder_of_pages(root, place / file.docs_dir)
            if file.nav and folder is not None:
                return _navigation(file.entries(folder), known, {name})
    return None


def _docusaurus(root: Path, known: KnownPages) -> Navigation | None:
    for place in (root, root.resolve().parent):
        script = next((place / name for name in _SCRIPTS if (place / name).is_file()), None)
        if script is not None:
            message = f"{script} is a program and is not run; write the sidebars as sidebars.json"
            return Navigation(warnings=(message,))
        if not (place / "sidebars.json").is_file():
            continue
        folder = _folder_of_pages(root, place / "docs") if (place / "docs").is_dir() else ""
        if folder is not None:
            text = _text(place / "sidebars.json")
            try:
                sidebars = DocusaurusSidebars(text, folder, known.ordered_paths, known.ids)
            except NavigationError as error:
                raise NavigationError(f"{place / 'sidebars.json'}: {error}") from error
            return _navigation(sidebars.entries(), known, {"sidebars.json"})
    return None


def _navigation(found: Iterable[NavigationEntry], known: KnownPages, own_files: set[str]) -> Navigation:
    """The entries whose files are there, each once; the others become warnings."""
    paths = frozenset(known.ordered_paths)
    entries: dict[str, NavigationEntry] = {}
    warnings: dict[str, None] = {}
    for count, entry in enumerate(found):
        if count >= MAX_ENTRIES:
            warnings[f"the navigation names more than {MAX_ENTRIES} pages: the others are left out"] = None
            break
        if entry.path in paths:
            entries.setdefault(entry.path, entry)
        else:
            warnings[f"the navigation names {entry.path}, which is no document of the folder"] = None
    return Navigation(tuple(entries.values()), frozenset(own_files), tuple(warnings))


def _folder_of_pages(root: Path, pages: Path) -> str | None:
    """The folder of the pages, relative to the one that is read; None where it is not in it."""
    try:
        within = pages.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return None
    return "" if within == "." else within


def _text(path: Path) -> str:
    """The text of a navigation's file.

    Raises:
        NavigationError: it is too big.
        OSError: it cannot be read.
        UnicodeDecodeError: it is no UTF-8.
    """
    with path.open("rb") as file:
        body = file.read(MAX_BYTES + 1)
    if len(body) > MAX_BYTES:
        raise NavigationError(f"{path} has more than {MAX_BYTES} bytes")
    return body.decode("utf-8-sig")


def mdbook_entries(summary: str, folder: str) -> Iterator[NavigationEntry]:
    """The chapters in their order; drafts, which have no file, are left out.

    Args:
        summary: the text of `SUMMARY.md`.
        folder: its folder, relative to the folder that is read; "" where it is that one.
    """
    for token in MarkdownIt("commonmark").parse(summary):
        for href, title in _links(token.children or []):
            parts = urlsplit(href)
            if parts.path and not parts.scheme and not parts.netloc:
                path = posixpath.normpath(posixpath.join(folder, unquote(parts.path)))
                yield NavigationEntry(path, title)


def _links(tokens: list[Token]) -> Iterator[tuple[str, str]]:
    """Target and text of each link in a paragraph."""
    href, words = "", list[str]()
    for token in tokens:
        if token.type == "link_open":
            href, words = str(token.attrGet("href") or ""), []
        elif token.type == "link_close":
            yield href, " ".join("".join(words).split())
        elif token.type in ("text", "code_inline"):
            words.append(token.content)
        elif token.type == "softbreak":
            words.append(" ")
