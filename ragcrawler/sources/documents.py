"""The documents of a folder in reading order, with the titles of its navigation."""

import json
import posixpath
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragcrawler.conversion.text.front_matter import front_matter_values
from ragcrawler.items import PageFile
from ragcrawler.sources.folder import Omission, chapter_of, list_folder, markdown_paths, read_file
from ragcrawler.sources.navigation.find import KnownPages, find_navigation
from ragcrawler.sources.navigation.name_order import order_key, position_of

_HEAD_BYTES = 64 * 1024
_CATEGORY = "_category_.json"


@dataclass(frozen=True, slots=True)
class FolderDocuments:
    """A folder that was looked through.

    Attributes:
        files: in reading order: those of the navigation first.
        left_out: files and folders that are no documents.
        unread: what the system does not let us read.
        warnings: of the navigation.
    """

    files: tuple[PageFile, ...]
    left_out: tuple[Omission, ...]
    unread: tuple[Omission, ...]
    warnings: tuple[str, ...]


def read_folder(root: Path, as_text: Collection[str] = ()) -> FolderDocuments:
    """Look through a folder: every file in it is a document, left out for a reason, or unread.

    Args:
        root: the folder.
        as_text: endings of files that count as documents beside those that have a converter.
    """
    listing = list_folder(root, as_text=as_text)
    own = {path for path in listing.paths if posixpath.basename(path) == _CATEGORY}
    fronts = {path: _front(root, path) for path in markdown_paths(listing.paths)}
    positions = _positions(root, own, fronts)
    ordered = sorted(set(listing.paths) - own, key=lambda path: order_key(path, positions))
    ids = {path: front["id"] for path, front in fronts.items() if isinstance(front.get("id"), str)}
    navigation = find_navigation(root, KnownPages(ordered, ids))
    own |= navigation.files.intersection(listing.paths)
    titles = {entry.path: entry.title for entry in navigation.entries if entry.path not in own}
    paths = [*titles, *(path for path in ordered if path not in titles and path not in own)]
    return FolderDocuments(
        files=tuple(PageFile(path, chapter_of(path), titles.get(path, "")) for path in paths),
        left_out=(*listing.left_out, *(Omission(path, "navigation") for path in sorted(own))),
        unread=tuple(listing.unread),
        warnings=navigation.warnings,
    )


def _positions(root: Path, categories: set[str], fronts: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """Path of a file or folder to the place it asks for."""
    asked = {posixpath.dirname(path): position_of(_category(root, path)) for path in categories}
    asked |= {path: position_of(front) for path, front in fronts.items()}
    return {path: position for path, position in asked.items() if position is not None}


def _front(root: Path, path: str) -> Mapping[str, Any]:
    """The front matter of a file; a file that cannot be read is found out when its turn comes."""
    try:
        return front_matter_values(read_file(root, path, _HEAD_BYTES).decode("utf-8", "replace"))
    except OSError:
        return {}


def _category(root: Path, path: str) -> Mapping[str, Any]:
    """Docusaurus's description of a folder; one that is no JSON asks for nothing."""
    try:
        values = json.loads(read_file(root, path, _HEAD_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}
