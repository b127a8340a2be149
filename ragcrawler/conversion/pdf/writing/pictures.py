"""The pictures of a PDF, taken out under the names by which the Markdown refers to them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ragcrawler.conversion.converted import Picture
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.pdf.blocks import Figure
from ragcrawler.conversion.pdf.reading.images import image_file
from ragcrawler.conversion.pdf.reading.page import Image

_MEDIA_TYPES = {"jpg": "image/jpeg", "png": "image/png"}
_BYTES_PER_PIXEL = 4


@dataclass(frozen=True, slots=True)
class TakenPictures:
    """Pictures, the names of the images that they are of, and what could not be taken."""

    names: Mapping[Image, str]
    pictures: tuple[Picture, ...]
    warnings: tuple[str, ...]


def take_pictures(document: Any, figures: Sequence[Figure], limits: ConversionLimits) -> TakenPictures:
    """Take out the figures' pictures, each once, within `max_decompressed_bytes` of pixels."""
    names: dict[Image, str] = {}
    pictures: dict[str, Picture] = {}
    lost = 0
    pixels = limits.max_decompressed_bytes // _BYTES_PER_PIXEL
    for figure in figures:
        pixels -= figure.image.pixels
        file = _file(document, figure) if pixels >= 0 else None
        if file is None:
            lost += 1
            continue
        extension, data = file
        digest = sha256(data).hexdigest()
        name = f"picture-{len(pictures) + 1}.{extension}"
        pictures.setdefault(digest, Picture(name, _MEDIA_TYPES[extension], data))
        names[figure.image] = pictures[digest].name
    warnings = (f"{lost} pictures could not be taken out",) if lost else ()
    return TakenPictures(names, tuple(pictures.values()), warnings)


def _file(document: Any, figure: Figure) -> tuple[str, bytes] | None:
    page = document[figure.page]
    try:
        return image_file(page, figure.image)
    finally:
        page.close()
