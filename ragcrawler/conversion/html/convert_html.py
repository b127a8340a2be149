"""A page as Markdown: parse, prepare, vote, select, prune, render."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import urljoin

from lxml import html

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.html.constructs import CONSTRUCTS
from ragcrawler.conversion.html.parse import parse
from ragcrawler.conversion.html.preparation import prepare
from ragcrawler.conversion.html.preparation.footnotes import release_orphans
from ragcrawler.conversion.html.preparation.styles.steps import StyleError
from ragcrawler.conversion.html.renderer import Renderer, finish
from ragcrawler.conversion.html.selection.blocks import list_blocks
from ragcrawler.conversion.html.selection.by_kind.product import add_product
from ragcrawler.conversion.html.selection.choose import choose
from ragcrawler.conversion.html.selection.extractor_text import ExtractorError, Vote, ask_extractor, vote_of
from ragcrawler.conversion.html.selection.prune import prune
from ragcrawler.conversion.html.selection.select_content import Basis
from ragcrawler.conversion.html.selection.title import title_of
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.metadata import read_metadata
from ragcrawler.conversion.text_cleaning import strip_invisible
from ragcrawler.conversion.work import Work

# The extractor's time grows with the square of the length on some pages; all else here is linear.
_MAX_EXTRACTOR_CHARACTERS = 4_000_000

_CONVERTERS: dict[Basis, str] = {
    "vote": "html-projection",
    "region": "html-projection",
    "page": "html-page",
    "everything": "html-whole",
}


def convert_html(text: str, url: str, limits: ConversionLimits, *, is_whole: bool = False) -> Converted:
    """Convert the main content of a page.

    `metadata.converter` is "html-projection", or "html-page" where the extractor's verdict could not be used
    and all but marked boilerplate was kept.

    Args:
        text: the page.
        url: its address.
        limits: bounds; the nesting counts here.
        is_whole: there is nothing but content, as in the chapter of a book: no extractor is asked.

    Raises:
        ConversionError: `empty` where the page shows no text, `too_deep` where it nests too deep, `too_large`
            where it or its style sheets take too much work.
    """
    root = parse(text, url, limits)
    work = limits.work_of(url)
    work.page(int(root.getroottree().xpath("count(//*)")))
    try:
        # The extractor knows web pages by their habits: it sees the page before those are taken out of it.
        with _collection_paused():
            vote, warnings = (None, ()) if is_whole else _vote(root, len(text))
            return _convert(root, url, vote, warnings, work)
    except StyleError as error:
        raise ConversionError("too_large", str(error), url=url) from error
    except RecursionError as error:
        message = (
            f"too deep to walk: lower max_nesting_levels = {limits.max_nesting_levels} to refuse it sooner"
        )
        raise ConversionError("too_deep", message, url=url) from error


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Without the collector of cycles: it would look through all elements of the page time and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _convert(
    root: html.HtmlElement, url: str, vote: Vote | None, warnings: tuple[str, ...], work: Work
) -> Converted:
    # While somebody holds them, lxml need not make its elements anew at every step: a tenth of the time.
    held = list(root.iter())
    body = root.find("body")
    hidden_characters = prepare(body) if body is not None else 0
    blocks = list_blocks(body) if body is not None else []
    if body is None or not blocks:
        raise ConversionError("empty", "the page shows no text without running its scripts", url=url)
    declared_title, metadata = read_metadata(root, url)
    choice = choose(root, url, body, blocks, vote)
    keep = choice.selection.keep
    kept = [block for block, is_kept in zip(blocks, keep, strict=True) if is_kept]
    title = title_of(root, declared_title, kept)
    if not all(keep):
        prune(body, blocks, keep)
        release_orphans(body)
    if choice.product is not None:
        add_product(body, choice.product, kept)
    renderer = Renderer(_base_url(root, url), url, CONSTRUCTS, work)
    rendered, invisible_characters = strip_invisible("\n\n".join(renderer.blocks(body)))
    markdown, anchors = finish(rendered, renderer)
    del held
    metadata = replace(
        metadata,
        kind=choice.kind,
        quality=choice.quality,
        converter=_CONVERTERS[choice.selection.basis],
        hidden_characters=hidden_characters + invisible_characters,
        duplicate_words=choice.selection.duplicate_words,
        cut=tuple(sorted(renderer.cut)),
        warnings=(*metadata.warnings, *warnings),
    )
    return Converted(strip_invisible(title)[0], markdown, metadata, anchors)


def _vote(root: html.HtmlElement, characters: int) -> tuple[Vote, tuple[str, ...]]:
    """The extractor's verdict, an empty one with a warning where it gives none."""
    if characters > _MAX_EXTRACTOR_CHARACTERS:
        return vote_of(""), (
            f"{characters} characters of HTML: too long for the extractor, which was not asked",
        )
    try:
        return ask_extractor(root), ()
    except ExtractorError as error:
        return vote_of(""), (str(error),)


def _base_url(root: html.HtmlElement, url: str) -> str:
    base = root.find(".//base[@href]")
    try:
        return urljoin(url, base.get("href", "").strip()) if base is not None else url
    except ValueError:
        return url
