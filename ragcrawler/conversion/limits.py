"""Limits on size, pages and nesting of a document."""

from dataclasses import dataclass, field, fields, replace

from ragcrawler.conversion.pdf_options import PdfOptions
from ragcrawler.conversion.work import Work

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
        work: counts what the document takes that is being converted; None between documents.

    Raises:
        ValueError: a limit is below 1.
    """

    max_input_bytes: int = 32 * _MEBIBYTE
    max_pages: int = 2_000
    max_decompressed_bytes: int = 256 * _MEBIBYTE
    max_nesting_levels: int = 200
    pdf: PdfOptions = field(default_factory=PdfOptions)
    work: Work | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for bound in fields(self):
            value = getattr(self, bound.name)
            if isinstance(value, int) and value < 1:
                raise ValueError(f"{bound.name} is {value}: give a whole number of at least 1")

    def work_of(self, url: str) -> Work:
        """The count of the document of which something is a part; a new one where it is a document itself."""
        return self.work or Work(url)

    def of_document(self, url: str) -> "ConversionLimits":
        """The same limits for a document and all of its parts."""
        return self if self.work is not None else replace(self, work=Work(url))
