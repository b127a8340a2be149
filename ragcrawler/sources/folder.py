"""A folder of documents: its files, and those that are left out."""

import os
import re
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import quote

from ragcrawler.conversion.convert import READABLE_EXTENSIONS
from ragcrawler.conversion.detection.media_type import SUFFIXES

LeftOut = Literal["hidden", "symlink", "not_a_file", "unsupported_type", "navigation"]
Unread = Literal["unreadable", "too_many_files"]

MAX_FILES = 1_000_000
# What a URL parser would read as something else than a part of the path, and what no terminal should print.
_ESCAPED = re.compile(r"[%?#\\\x00-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Omission:
    """A file or folder that is left out, or that could not be read.

    Attributes:
        path: relative to the folder, with slashes.
        reason: a short word to count by.
        message: what the system said, "" where it was not asked.
    """

    path: str
    reason: LeftOut | Unread
    message: str = ""


@dataclass(slots=True)
class FolderListing:
    """All files of a folder and the folders in it, each once.

    Attributes:
        paths: of the files that can be converted, relative to the folder, with slashes.
        left_out: on purpose.
        unread: what the system does not let us read; a folder may hide any number of files.
    """

    paths: list[str] = field(default_factory=list)
    left_out: list[Omission] = field(default_factory=list)
    unread: list[Omission] = field(default_factory=list)


def list_folder(root: Path, *, as_text: Collection[str] = (), max_files: int = MAX_FILES) -> FolderListing:
    """Walk a folder; nothing in it can end the walk.

    Symbolic links to files inside the folder are followed. Those to folders are not: what is inside is there
    already, and what is outside was not asked for.

    Args:
        root: the folder.
        as_text: endings of files that can be read beside those that have a converter.
        max_files: where the walk ends.
    """
    readable = READABLE_EXTENSIONS.union(as_text)
    listing = FolderListing()
    top = root.resolve()
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(top / folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            listing.unread.append(Omission(f"{folder}/" if folder else "./", "unreadable", str(error)))
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if len(listing.paths) + len(listing.left_out) >= max_files:
                message = f"the folder has more than {max_files} files"
                listing.unread.append(Omission(path, "too_many_files", message))
                return listing
            if _enter(entry, path, top, listing, readable):
                waiting.append(path)
    return listing


def source_url(path: str, base_url: str = "") -> str:
    """The URL by which a file is stored and cited: its path, or a link that begins with `base_url`.

    Args:
        path: relative to the folder, with slashes.
        base_url: canonical, with a slash at its end; "" for none.
    """
    if base_url:
        return base_url + quote(path.encode("utf-8", "surrogateescape"))
    return _ESCAPED.sub(lambda found: quote(found[0].encode("utf-8", "surrogateescape")), path)


def read_file(root: Path, path: str, max_bytes: int) -> bytes:
    """The bytes of a file, one more than `max_bytes` at the most.

    Raises:
        OSError: it cannot be read, or has become something else than a file.
    """
    # Without O_NONBLOCK a pipe that took the place of the file would be waited for.
    descriptor = os.open(root / path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path} is no file")
        return file.read(max_bytes + 1)


def media_type(path: str) -> str:
    """The media type that a file's name declares, "" where its bytes have to say."""
    return SUFFIXES.get(f".{extension(path)}", "")


def chapter_of(path: str) -> str:
    """The first folder on a path, "" for a file at the top."""
    folder, slash, _ = path.partition("/")
    return folder if slash else ""


def _enter(
    entry: os.DirEntry[str], path: str, top: Path, listing: FolderListing, readable: Collection[str]
) -> bool:
    """Enter a file or folder into the listing; whether it is a folder to walk."""
    if entry.name.startswith("."):
        listing.left_out.append(Omission(path, "hidden"))
        return False
    try:
        if not entry.is_symlink() and entry.is_dir():
            return True
        reason = _refusal(entry, top)
        if reason or extension(path) not in readable:
            listing.left_out.append(Omission(path, reason or "unsupported_type"))
        else:
            listing.paths.append(path)
    except OSError as error:
        listing.unread.append(Omission(path, "unreadable", str(error)))
    return False


def _refusal(entry: os.DirEntry[str], top: Path) -> LeftOut | None:
    if entry.is_symlink() and (entry.is_dir() or not Path(entry.path).resolve().is_relative_to(top)):
        return "symlink"
    if not entry.is_symlink() and not entry.is_file():
        return "not_a_file"
    return None


def extension(path: str) -> str:
    """The ending of a file's name, without dot and in lower case; "none" where it has no ending."""
    return PurePosixPath(path).suffix.removeprefix(".").lower() or "none"


def markdown_paths(paths: list[str]) -> Iterator[str]:
    """Those that are Markdown by their names."""
    return (path for path in paths if extension(path) in ("md", "markdown", "mdx"))
