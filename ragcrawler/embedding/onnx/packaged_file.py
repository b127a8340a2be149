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

    @property
    def hash(self) -> str:
        """SHA-256, hexadecimal, by the record or else by reading the file."""
        return self.recorded_hash or file_hash(self.path)


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


def check_packaged_file(package: str, file: PackagedFile) -> None:
    """Compare the content with the record.

    Raises:
        EmbeddingError: they differ.
    """
    if file.recorded_hash and file_hash(file.path) != file.recorded_hash:
        raise EmbeddingError(
            f"{file.path} is not what {package} was installed with: install that package again"
        )


def _hexadecimal(digest: str) -> str:
    """A record's digest, URL-safe base64 without padding (PEP 376), as hexadecimal."""
    return base64.urlsafe_b64decode(digest + "=" * (-len(digest) % 4)).hex()
