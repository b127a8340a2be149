"""Documents as a folder of Markdown files that can be written again and again."""

import re
import shutil
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import yaml

from ragcrawler.catalogue.exports.documents import ExportedDocument
from ragcrawler.catalogue.exports.file_names import FileNames

# One path a line, each entered before its file is written: a killed export leaves no unknown file.
LIST_NAME = ".ragcrawler-export"
_PICTURES = "images"


class FolderError(Exception):
    """A folder that an export must not write to; says which, why, and what to do."""


def write_markdown_folder(folder: Path, documents: Iterable[ExportedDocument], pictures: Path) -> int:
    """Write a file for each document, and remove those of earlier exports whose documents are gone.

    Args:
        folder: new, empty, or one that an export has made.
        documents: one is in memory at a time.
        pictures: where those of a document lie in a folder with its id; they are copied.

    Returns:
        how many files were written.

    Raises:
        FolderError: somebody else's files are in the folder.
        OSError: it cannot be written.
    """
    before = _files_of_last_export(folder)
    names, written, written_pictures = FileNames(), list[str](), list[str]()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LIST_NAME).open("a", encoding="utf-8") as entries:
        for exported in documents:
            document = exported.document
            name = names.of(document.url, document.id)
            copied = _pictures_of(document.markdown, document.id, pictures)
            entries.writelines(f"{each}\n" for each in (name, *copied))
            entries.flush()
            _copy(folder, pictures, copied)
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_file(exported, name, has_pictures=bool(copied)))
            written.append(str(name))
            written_pictures += copied
    _remove(folder, before - {*written, *written_pictures})
    (folder / LIST_NAME).write_text(
        "".join(f"{each}\n" for each in (*written, *written_pictures)), encoding="utf-8"
    )
    return len(written)


def _files_of_last_export(folder: Path) -> set[str]:
    if not folder.exists():
        return set()
    if not folder.is_dir():
        raise FolderError(f"{folder} is a file; name a folder for the Markdown files")
    listed = folder / LIST_NAME
    if listed.exists():
        return set(listed.read_text(encoding="utf-8").splitlines())
    if any(folder.iterdir()):
        raise FolderError(
            f"{folder} holds files that no export has written; name a new or empty folder, or one of an "
            "earlier export"
        )
    return set()


def _file(exported: ExportedDocument, name: PurePosixPath, *, has_pictures: bool) -> bytes:
    document = exported.document
    said = {
        "title": document.title,
        "url": document.url,
        "language": document.language,
        "description": document.metadata.description,
        "author": document.metadata.author,
        "published": document.metadata.published,
        "modified": document.metadata.modified,
        "fetched_at": document.fetched_at,
        "aliases": list(exported.aliases),
    }
    front_matter = yaml.safe_dump(
        {key: value for key, value in said.items() if value},
        allow_unicode=True,
        sort_keys=False,
        width=10_000,
    )
    markdown = document.markdown
    if has_pictures:
        up = "../" * (len(name.parts) - 1)
        markdown = markdown.replace(f"]({_PICTURES}/{document.id}/", f"]({up}{_PICTURES}/{document.id}/")
    return f"---\n{front_matter}---\n\n{markdown}\n".encode("utf-8", "replace")


def _pictures_of(markdown: str, document_id: str, pictures: Path) -> list[str]:
    """The pictures that a text names and that are there, as paths in the folder of the export."""
    named = re.findall(rf"\]\({_PICTURES}/{re.escape(document_id)}/([\w.\-]+)\)", markdown)
    return [
        f"{_PICTURES}/{document_id}/{each}"
        for each in dict.fromkeys(named)
        if (pictures / document_id / each).is_file()
    ]


def _copy(folder: Path, pictures: Path, names: Iterable[str]) -> None:
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(pictures / Path(name).relative_to(_PICTURES), target)


def _remove(folder: Path, names: Iterable[str]) -> None:
    """Remove files, and the folders that they leave empty; a name that leads out of the folder is none."""
    for name in names:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            continue
        (folder / path).unlink(missing_ok=True)
        for parent in (folder / path).parents:
            if parent == folder or not parent.is_dir() or any(parent.iterdir()):
                break
            parent.rmdir()
