"""A page as Markdown: parse, vote, select, prune, render."""

from urllib.parse import urljoin

from lxml import html

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.html.blocks import list_blocks
from ragcrawler.conversion.html.constructs import CONSTRUCTS
from ragcrawler.conversion.html.parse import parse
from ragcrawler.conversion.html.preparation import prepare
from ragcrawler.conversion.html.prune import prune
from ragcrawler.conversion.html.renderer import Renderer, finish
from ragcrawler.conversion.html.selection import select
from ragcrawler.conversion.html.sentinels import strip_sentinels
from ragcrawler.conversion.html.vote import ask_extractor
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.metadata import read_metadata


def convert_html(text: str, url: str, limits: ConversionLimits) -> Converted:
    """Convert the main content of a page.

    Raises:
        ConversionError: `empty` where the page shows no text, `too_deep` where it nests too deep.
    """
    root = parse(strip_sentinels(text), url, limits)
    title, metadata = read_metadata(root, url)
    body = root.find("body")
    if body is not None:
        prepare(body)
    blocks = list_blocks(body) if body is not None else []
    if body is None or not blocks:
        raise ConversionError("empty", "the page shows no text without running its scripts", url=url)
    selection = select(body, blocks, ask_extractor(root))
    prune(body, blocks, selection.keep)
    renderer = Renderer(_base_url(root, url), url, CONSTRUCTS)
    markdown, anchors = finish(renderer.blocks(body), renderer)
    return Converted(title, markdown, metadata, anchors)


def _base_url(root: html.HtmlElement, url: str) -> str:
    base = root.find(".//base[@href]")
    return urljoin(url, base.get("href", "")) if base is not None else url
