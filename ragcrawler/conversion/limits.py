"""How much of a hostile document a conversion puts up with."""

from dataclasses import dataclass, fields

_MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ConversionLimits:
    """Bounds that every converter honours; over one of them it raises `ConversionError`.

    Seconds and memory are not among them: only the process around a conversion can hold those.

    Attributes:
        max_input_bytes: length of the body; over it `too_large`.
        max_pages: pages of a paged document; over it `too_many_pages`.
        max_decompressed_bytes: sum over all members of an archive (DOCX, EPUB) or streams of a PDF; over it
            `too_large`.
        max_nesting_levels: depth of elements, lists or archive members; over it `too_deep`.

    Raises:
        ValueError: a limit is below 1.
    """

    max_input_bytes: int = 32 * _MEBIBYTE
    max_pages: int = 2_000
    max_decompressed_bytes: int = 256 * _MEBIBYTE
    max_nesting_levels: int = 500

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value < 1:
                raise ValueError(f"{field.name} is {value}: give a whole number of at least 1")
