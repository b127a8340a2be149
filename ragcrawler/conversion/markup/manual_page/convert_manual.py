"""Manual pages to Markdown, by way of HTML."""

import re
from html import escape

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.markup.manual_page.escapes import Roff
from ragcrawler.conversion.markup.manual_page.man_macros import ManPage
from ragcrawler.conversion.markup.manual_page.mdoc_macros import MdocPage
from ragcrawler.conversion.markup.manual_page.requests import Requests
from ragcrawler.conversion.markup.manual_page.writer import PageWriter
from ragcrawler.conversion.markup.whole_page import convert_whole_page

MEDIA_TYPE = "text/troff"
_MDOC = re.compile(r"^\.[ \t]*Dd\b", re.MULTILINE)
_SOURCE = re.compile(r"\A(?:[.'][ \t]*\\\".*\n|\s*\n)*[.']so[ \t]+\S+\s*\Z")


def convert_manual_page(text: str, url: str, limits: ConversionLimits) -> Converted:
    """Convert a manual page, of the macros `man` or `mdoc`.

    Raises:
        ConversionError: `empty` where it shows no text or only names another page.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _SOURCE.match(text):
        raise ConversionError("empty", f"the page is another name of {text.split()[-1]}", url=url)
    roff, writer = Roff(), PageWriter(limits)
    page = (MdocPage if _MDOC.search(text) else ManPage)(roff, writer)
    page.read(Requests(text, roff, page.names))
    body = writer.finish()
    lost = [f"left out: drawings and equations ({writer.lost})"] if writer.lost else []
    head = f"<head><title>{escape(writer.title)}</title></head>"
    return convert_whole_page(
        f"<!DOCTYPE html><html>{head}<body>{body}</body></html>",
        url,
        limits,
        media_type=MEDIA_TYPE,
        converter="manual-page",
        warnings=lost,
    )
