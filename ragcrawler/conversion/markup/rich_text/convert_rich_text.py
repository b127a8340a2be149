"""Rich Text Format to Markdown, by way of HTML."""

from dataclasses import replace

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.links import document_links
from ragcrawler.conversion.markup.rich_text.reader import INSIDE, RichTextReader
from ragcrawler.conversion.markup.whole_page import convert_whole_page, page_of
from ragcrawler.conversion.text_cleaning import without_surrogates

MEDIA_TYPE = "application/rtf"
_SIGNATURE = b"{\\rtf"


def convert_rich_text(body: bytes, url: str, limits: ConversionLimits) -> Converted:
    """Convert a document of Rich Text Format.

    Raises:
        ConversionError: `damaged` where it is none, `too_deep`, `too_large` or `empty`.
    """
    if not body.lstrip().startswith(_SIGNATURE):
        raise ConversionError("damaged", "no Rich Text: the file does not begin with {\\rtf", url=url)
    reader = RichTextReader(url, limits.work_of(url))
    reader.read(body)
    text = reader.page.finish()
    notes = "".join(
        f'<li id="rtf-note-{number}">{note}</li>' for number, note in enumerate(reader.notes, start=1)
    )
    page = page_of(
        without_surrogates(f"{text}<ol>{notes}</ol>" if notes else text),
        title=reader.title,
        author=reader.author,
    )
    lost = {"pictures that cannot be read": reader.lost_pictures, "comments": reader.lost_comments}
    warnings = tuple(f"left out: {phrase} ({count})" for phrase, count in lost.items() if count)
    converted = convert_whole_page(
        page, url, limits, media_type=MEDIA_TYPE, converter="rich-text", warnings=warnings
    )
    markdown = converted.markdown.replace(INSIDE, "")
    pictures = tuple(reader.pictures)
    return replace(converted, markdown=markdown, links=document_links(markdown, url), pictures=pictures)
