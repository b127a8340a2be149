"""HTML that a converter of this package has made, as a document: there is nothing but content in it."""

from collections.abc import Iterable
from dataclasses import replace
from html import escape

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.links import document_links
from ragcrawler.conversion.text.plain import file_name


def convert_whole_page(
    page: str,
    url: str,
    limits: ConversionLimits,
    *,
    media_type: str,
    converter: str,
    warnings: Iterable[str] = (),
) -> Converted:
    """The Markdown of a page that is content from end to end, with its links.

    Args:
        page: HTML; what its head says of title, author and dates becomes metadata.
        url: of the document that the page was made of; relative links start from there.
        limits: bounds; the nesting counts here.
        media_type: of the document.
        converter: the name for `metadata.converter`.
        warnings: what was lost.

    Raises:
        ConversionError: `empty` where the page shows no text, `too_deep` where it nests too deep.
    """
    from ragcrawler.conversion.html import convert_html

    converted = convert_html(page, url, limits, is_whole=True)
    metadata = replace(
        converted.metadata,
        media_type=media_type,
        converter=converter,
        warnings=(*converted.metadata.warnings, *warnings),
    )
    markdown = converted.markdown
    return replace(
        converted,
        title=converted.title or file_name(url),
        metadata=metadata,
        links=document_links(markdown, url),
    )


def page_of(body: str, *, title: str = "", language: str = "", **said: str) -> str:
    """A page around a body; `said` becomes meta elements (`author`, `description`)."""
    metas = "".join(f'<meta name="{name}" content="{escape(text)}">' for name, text in said.items() if text)
    start = f'<html lang="{escape(language)}">' if language else "<html>"
    return (
        f"<!DOCTYPE html>{start}<head><title>{escape(title)}</title>{metas}</head><body>{body}</body></html>"
    )
