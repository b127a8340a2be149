"""Limits on size, pages and nesting of a document."""

from dataclasses import dataclass, field, fields

from ragcrawler.conversion.pdf_options import PdfOptions

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
        pdf: no bound, but what a PDF is converted with.

    Raises:
        ValueError: a limit is below 1.
    """

    max_input_bytes: int = 32 * _MEBIBYTE
    max_pages: int = 2_000
    max_decompressed_bytes: int = 256 * _MEBIBYTE
    max_nesting_levels: int = 200
    pdf: PdfOptions = field(default_factory=PdfOptions)

    def __post_init__(self) -> None:
        for bound in fields(self):
            value = getattr(self, bound.name)
            if isinstance(value, int) and value < 1:
                raise ValueError(f"{bound.name} is {value}: give a whole number of at least 1")
