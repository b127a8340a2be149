"""The id of a document."""

import hashlib

ID_CHARACTERS = 32


def document_id(canonical: str) -> str:
    """The first 32 hexadecimal digits of the SHA-256 of a canonical URL.

    128 bits: among a thousand million documents two share an id with a probability of about 10^-21.
    """
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()[:ID_CHARACTERS]
