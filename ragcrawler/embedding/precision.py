"""The names of models in 8-bit arithmetic: a model's own name with a suffix."""

from typing import Literal, get_args

Precision = Literal["original", "int8"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)

_SUFFIX = "-int8"


def int8_name(name: str) -> str:
    """The name of a model in 8 bits."""
    return name if name.endswith(_SUFFIX) else name.rstrip("/") + _SUFFIX


def name_before_int8(name: str) -> str | None:
    """The name of the model that one in 8 bits is made from; None where the name says nothing of 8 bits."""
    return name.removesuffix(_SUFFIX) if name.endswith(_SUFFIX) else None
