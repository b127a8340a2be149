"""PDF to Markdown: the call that the table of media types names."""

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.pdf.reading.stream_guard import check_streams
from ragcrawler.conversion.pdf.text_layer import convert_text_layer

_SIGNATURE = b"%PDF-"
_SIGNATURE_WITHIN = 1024  # bytes; readers accept as much before it


def convert_pdf(body: bytes, url: str, limits: ConversionLimits) -> Converted:
    """Convert a PDF: by docling's models where `limits.pdf` says where they are, else by its text layer.

    Raises:
        ConversionError: `unsupported_type`, `damaged`, `encrypted`, `too_large`, `too_many_pages`, `empty`
            or `no_text_layer`.
    """
    if _SIGNATURE not in body[:_SIGNATURE_WITHIN]:
        raise ConversionError("unsupported_type", f"no PDF: it begins with {body[:8]!r}", url=url)
    check_streams(body, url, limits.max_decompressed_bytes)
    if limits.pdf.artifacts_path:
        from ragcrawler.conversion.pdf.docling_pipeline import convert_by_docling

        return convert_by_docling(body, url, limits)
    return convert_text_layer(body, url, limits)
