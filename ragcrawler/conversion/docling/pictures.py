"""The images inside a docling document."""

from base64 import b64decode
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragcrawler.conversion.converted import Picture

if TYPE_CHECKING:
    from docling_core.types.doc.document import DoclingDocument

_PNG_URI = "data:image/png;base64,"


def docling_pictures(document: "DoclingDocument") -> tuple[dict[str, str], tuple[Picture, ...]]:
    """The pictures, and their names by the reference of the item that shows them."""
    found = list(_encode(document))
    names = {reference: f"picture-{number}.png" for number, (reference, _) in enumerate(found, start=1)}
    pictures = (Picture(names[reference], "image/png", b64decode(data)) for reference, data in found)
    return names, tuple(pictures)


def _encode(document: "DoclingDocument") -> Iterator[tuple[str, str]]:
    for item in document.pictures:
        uri = str(item.image.uri) if item.image is not None else ""
        if uri.startswith(_PNG_URI):
            yield item.self_ref, uri.removeprefix(_PNG_URI)
