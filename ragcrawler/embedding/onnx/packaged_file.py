"""Files that lie in an installed package, found without importing it."""

import base64
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from ragcrawler.embedding.onnx.model_folder import file_hash
from ragcrawler.embedding.protocol import EmbeddingError


@dataclass(frozen=True, slots=True)
class PackagedFile:
    """A file of an installed distribution.

    Attributes:
        path: where it lies.
        recorded_hash: SHA-256, hexadecimal, by the distribution's record; "" where the record has none.
    """

    path: Path
    recorded_hash: str


def find_packaged_file(package: str, name: str) -> PackagedFile | None:
    """The file of that name, with forward slashes, in that distribution; None where either is missing."""
    try:
        files = metadata.files(package) or []
    except metadata.PackageNotFoundError:
        return None
    found = next((file for file in files if file.as_posix() == name), None)
    if found is None or not (path := Path(str(found.locate()))).is_file():
        return None
    recorded = found.hash
    is_sha256 = recorded is not None and recorded.mode == "sha256"
    return PackagedFile(path, _hexadecimal(recorded.value) if recorded is not None and is_sha256 else "")


def check_packaged_file(package: str, file: PackagedFile, expected_hash: str) -> None:
    """Read the file and compare its SHA-256, hexadecimal, with the expected one.

    Raises:
        EmbeddingError: they differ.
    """
    if (found := file_hash(file.path)) != expected_hash:
        raise EmbeddingError(
            f"{file.path} has the SHA-256 {found} and should have {expected_hash}: install {package} again"
        )


def _hexadecimal(digest: str) -> str:
    """A record's digest, URL-safe base64 without padding (PEP 376), as hexadecimal."""
    return base64.urlsafe_b64decode(digest + "=" * (-len(digest) % 4)).hex()
