"""File names of documents: names from the web, made safe for every file system."""

import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

SUFFIX = ".md"

_UNSAFE = re.compile(r"[^\w.\-]+")
_EDGES = " .-"
_PAGE_SUFFIX = re.compile(r"\.(?:x?html?|shtml|php|aspx?|jsp|md|markdown|txt)\Z", re.IGNORECASE)
# Windows keeps these for devices, whatever follows the first dot.
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z)", re.IGNORECASE)
_MAX_BYTES = 80  # of a part; file systems take 255
_MAX_FOLDERS = 10
_ID_DIGITS = 8


class FileNames:
    """Gives each document a relative path after its URL: `docs.example.org/guide/pumps.md`.

    Two documents never get one path, not even where a file system does not tell upper from lower case.
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def of(self, url: str, document_id: str) -> PurePosixPath:
        """The path of a document; digits of its id end it where there is a query or the path is taken."""
        parts = urlsplit(url)
        host = _safe(parts.netloc.rpartition("@")[2].replace(":", "_"))
        *folders, name = parts.path.lstrip("/").split("/")
        folder = PurePosixPath(host, *(_folder(each) for each in folders[:_MAX_FOLDERS] if each))
        stem = _safe(_PAGE_SUFFIX.sub("", unquote(name)) or "index")
        is_plain = not parts.query and len(folders) <= _MAX_FOLDERS
        for path in (folder / stem,) * is_plain + (folder / f"{stem}-{document_id[:_ID_DIGITS]}",):
            if self._take(path):
                return path.with_name(path.name + SUFFIX)
        path = folder / f"{stem}-{document_id}"
        self._take(path)
        return path.with_name(path.name + SUFFIX)

    def _take(self, path: PurePosixPath) -> bool:
        key = str(path).casefold()
        is_free = key not in self._taken
        self._taken.add(key)
        return is_free


def _folder(segment: str) -> str:
    name = _safe(unquote(segment))
    # A file may have that name.
    return f"{name}_" if name.lower().endswith(SUFFIX) else name


def _safe(name: str) -> str:
    kept = _UNSAFE.sub("-", name).strip(_EDGES)
    kept = kept.encode("utf-8", "ignore")[:_MAX_BYTES].decode("utf-8", "ignore").rstrip(_EDGES)
    return f"_{kept}" if not kept or _RESERVED.match(kept) else kept
