"""The pictures of a notebook: taken out of base64 and named."""

import re
from base64 import b64decode
from binascii import Error as NoBase64
from collections.abc import Mapping
from dataclasses import dataclass, field

from ragcrawler.conversion.converted import Picture

_EXTENSIONS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/bmp": "bmp",
}
_ATTACHED = re.compile(r"(!\[[^\]\n]*\]\()attachment:([^()\s]+)(?=[)\s])")
_DATA_ADDRESS = re.compile(r"(!\[[^\]\n]*\]\()data:(image/[\w.+-]+);base64,([A-Za-z0-9+/=%\s]*)(?=\))")


@dataclass(slots=True)
class NotebookPictures:
    """Collects pictures.

    Attributes:
        found: in the order in which they stand in the notebook.
        lost: how many could not be read.
    """

    found: list[Picture] = field(default_factory=list)
    lost: int = 0

    def show(self, bundle: Mapping[str, object]) -> str:
        """The first picture of a bundle of alternatives in Markdown, "" where it has none."""
        for media_type in _EXTENSIONS:
            encoded = bundle.get(media_type)
            if encoded:
                name = self._add(media_type, encoded)
                return f"![]({name})" if name else ""
        return ""

    def place(self, markdown: str, attachments: Mapping[str, object]) -> str:
        """The text of a cell with its attached pictures under their new names, and none inside an address."""

        def attached(match: re.Match[str]) -> str:
            bundle = attachments.get(match[2])
            shown = self.show(bundle) if isinstance(bundle, Mapping) else ""
            return match[1] + shown[4:-1]

        def inside(match: re.Match[str]) -> str:
            return match[1] + self._add(match[2], match[3])

        return _DATA_ADDRESS.sub(inside, _ATTACHED.sub(attached, markdown))

    def _add(self, media_type: str, encoded: object) -> str:
        """Keep a picture and give its name; "" where it is none."""
        text = "".join(encoded) if isinstance(encoded, list) else str(encoded)
        try:
            data = b64decode("".join(text.split()), validate=True)
        except (NoBase64, ValueError):
            data = b""
        if not data or media_type not in _EXTENSIONS:
            self.lost += 1
            return ""
        name = f"picture-{len(self.found) + 1}.{_EXTENSIONS[media_type]}"
        self.found.append(Picture(name, media_type, data))
        return name
