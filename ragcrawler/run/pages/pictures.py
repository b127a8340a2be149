"""The images of documents, beside the collection."""

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path

from ragcrawler.bootstrap.preparation import picture_folder
from ragcrawler.conversion.converted import Picture
from ragcrawler.stores.disk.durable_file import sync_folder, write_all_durably


class PictureFolders:
    """A folder a document, `images/<document id>/`, where its Markdown says that they are.

    Args:
        output: the folder that holds all of them.
    """

    def __init__(self, output: Path) -> None:
        self._output = output

    async def save(self, document_id: str, pictures: Sequence[Picture]) -> None:
        """Write the images of a document durably, before store and catalogue say that its page was read.

        Raises:
            OSError: they cannot be written.
        """
        if pictures:
            await asyncio.to_thread(_save, self._output / picture_folder(document_id), pictures)

    async def remove(self, document_ids: Sequence[str]) -> None:
        """Take away the images of documents that are gone.

        Raises:
            OSError: some cannot be removed.
        """
        await asyncio.to_thread(_remove, [self._output / picture_folder(each) for each in document_ids])


def _remove(folders: Sequence[Path]) -> None:
    for folder in folders:
        if folder.is_dir():
            shutil.rmtree(folder)


def _save(folder: Path, pictures: Sequence[Picture]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    # A name comes from a document: its last part alone is used.
    write_all_durably(folder, {Path(picture.name).name: picture.data for picture in pictures})
    sync_folder(folder.parent)
