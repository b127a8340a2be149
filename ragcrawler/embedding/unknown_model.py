"""The error message for an unknown model name."""

import difflib
from collections.abc import Sequence

from ragcrawler.embedding.protocol import EmbeddingError, Kind

_MOST_SHOWN = 5


def unknown_model(name: str, kind: Kind, known: Sequence[str]) -> EmbeddingError:
    """The error, with the known names nearest to the wrong one, or some where none is near."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    near = difflib.get_close_matches(name.lower(), by_lower, n=_MOST_SHOWN, cutoff=0.5)
    shown = ", ".join([by_lower[candidate] for candidate in near] or known[:_MOST_SHOWN])
    return EmbeddingError(
        f"there is no {kind} model {name!r}: take {shown}, another one that fastembed lists,"
        " or the path of a folder with an ONNX model"
    )
