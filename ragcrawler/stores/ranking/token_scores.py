"""How near token vectors come to those of a question, for what no engine has scored."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def token_scores(asked: Sequence[bytes], stored: Mapping[str, Sequence[bytes]]) -> dict[str, float]:
    """By id, the sum over the question's vectors of the largest product with one of the chunk's.

    It is MaxSim of Khattab and Zaharia, "ColBERT", SIGIR 2020, on bytes as the engines count them.

    Args:
        asked: the question's, at least one.
        stored: the chunks' by their ids; a chunk without any has no score.
    """
    question = _rows(asked)
    return {
        each: float((question @ _rows(vectors).T).max(axis=1).sum())
        for each, vectors in stored.items()
        if vectors
    }


def _rows(vectors: Sequence[bytes]) -> "NDArray[np.float64]":
    import numpy as np

    return np.stack([np.frombuffer(each, np.uint8) for each in vectors]).astype(np.float64)
