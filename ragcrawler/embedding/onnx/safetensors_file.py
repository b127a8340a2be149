"""Reading a safetensors file; format: https://github.com/huggingface/safetensors#format."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragcrawler.embedding.protocol import EmbeddingError

_PREFIX_BYTES = 8
_MAX_HEADER_BYTES = 100_000_000  # the format's own bound
_DTYPES = {"F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4"}

Tensors = Mapping[str, NDArray[Any]]


def read_tensors(path: Path) -> Tensors:
    """Every tensor of the file by name, mapped from the disk and not copied.

    Raises:
        EmbeddingError: it is not a safetensors file, or holds a data type that no BERT uses.
    """
    try:
        content = np.memmap(path, dtype=np.uint8, mode="r")
        header, begin = _header(content)
        return {
            name: _tensor(content, begin, entry) for name, entry in header.items() if name != "__metadata__"
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EmbeddingError(f"{path} is no safetensors file ({error}): install its package again") from error


def _header(content: NDArray[np.uint8]) -> tuple[dict[str, Any], int]:
    length = int.from_bytes(content[:_PREFIX_BYTES].tobytes(), "little")
    end = _PREFIX_BYTES + length
    if length > _MAX_HEADER_BYTES or end > content.size:
        raise ValueError(f"its header claims {length} bytes")
    header = json.loads(content[_PREFIX_BYTES:end].tobytes())
    if not isinstance(header, dict):
        raise TypeError("its header is no JSON object")
    return header, end


def _tensor(content: NDArray[np.uint8], begin: int, entry: Mapping[str, Any]) -> NDArray[Any]:
    start, end = entry["data_offsets"]
    return content[begin + start : begin + end].view(_DTYPES[entry["dtype"]]).reshape(entry["shape"])
