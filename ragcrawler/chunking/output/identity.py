"""Names and fingerprints of chunks."""

import hashlib
import re
import uuid
from collections import Counter

# Raise it when the same document and settings give other chunks or fields: pages are cut anew then, and the
# vectors of texts that stay the same are kept.
CHUNKER_VERSION = "6"

_NOT_IN_SLUG = re.compile(r"[^a-z0-9]+")
_SLUG_LENGTH = 40


def slug(*names: str) -> str:
    """The first name that has letters or digits, as part of an identifier."""
    for name in names:
        made = _NOT_IN_SLUG.sub("_", name.lower()).strip("_")[-_SLUG_LENGTH:].strip("_")
        if made:
            return made
    return "document"


def content_hash(content: str) -> str:
    """SHA-256, hexadecimal."""
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def embed_hash(embed_text: str, model: str, version: str = CHUNKER_VERSION) -> str:
    """The hash that decides whether a vector must be computed again."""
    return content_hash("\0".join((version, model, embed_text)))


def is_embed_hash(digest: str, embed_text: str, model: str) -> bool:
    """Whether a hash is that of a text and a model, by this version of the chunker or an earlier one."""
    versions = range(int(CHUNKER_VERSION), 0, -1)
    return any(digest == embed_hash(embed_text, model, str(version)) for version in versions)


class PointIds:
    """Ids that follow from the document and the content: an edit changes only the ids of what it touches."""

    def __init__(self, document_id: str) -> None:
        self._document_id = document_id
        self._seen: Counter[str] = Counter()

    def next(self, content_digest: str) -> str:
        """The id of the next chunk with this content hash."""
        occurrence = self._seen[content_digest]
        self._seen[content_digest] += 1
        key = "\0".join((self._document_id, content_digest, str(occurrence)))
        digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
        return str(uuid.UUID(bytes=digest[:16], version=5))
