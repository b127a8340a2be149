"""What an author says twice stands twice; the second copy of a part, made for another layout, goes."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html

from ragcrawler.conversion import ConversionLimits, Converted, convert
from ragcrawler.conversion.html.parse import parse
from ragcrawler.conversion.html.selection.blocks import list_blocks
from ragcrawler.conversion.html.selection.duplicates import drop_duplicates
from ragcrawler.run.reporting.stat_rows import left_out_rows

URL = "https://docs.example/manual/filters.html"
TEXTS = [
    "This filter accepts the following options, each of which may also be set by a command while it runs.",
    "The value is a number of seconds; where it is left out, the clock of the input stream decides alone.",
    "It returns zero on success, and a negative number that names the error if the buffer was too small.",
    "See the section about expressions for what stands for the width and the height of the incoming picture.",
    "The default is 1.",
    "Only slices of a frame are worked on at the same time, as many as there are threads for them.",
]
WORD = re.compile(r"[a-z]+|\d")
texts = st.lists(st.sampled_from(TEXTS), min_size=1, max_size=4)


def tagged(tag: str, texts: list[str]) -> str:
    return "".join(f"<{tag}>{text}</{tag}>" for text in texts)


blocks = st.one_of(
    st.builds(lambda texts: tagged("p", texts), texts),
    st.builds(lambda texts: f"<ul>{tagged('li', texts)}</ul>", texts),
    st.builds(lambda texts: f"<blockquote>{tagged('p', texts)}</blockquote>", texts),
    st.builds(lambda texts: f'<div class="admonition note">{tagged("p", texts)}</div>', texts),
    st.builds(
        lambda texts: f"<dl>{''.join(f'<dt>option</dt><dd>{text}</dd>' for text in texts)}</dl>", texts
    ),
    st.builds(lambda texts: f"<pre>{' '.join(texts)}</pre>", texts),
)
bodies = st.lists(blocks, min_size=1, max_size=4).map("".join)
TITLES = ("acopy", "aecho", "Commands", "Examples")
SHAPES = {
    "sections": '<section id="s{n}"><h2>{title}</h2>{body}</section>',
    "divisions": '<div class="sect1"><h2 id="s{n}">{title}</h2><div class="sectionbody">{body}</div></div>',
    "flat": '<h2 class="chapter" id="s{n}">{title}</h2>{body}',
    "parts in two": '<h2>{title}</h2><div class="part {parity}" id="s{n}">{body}</div>',
}


def page(content: str) -> Converted:
    body = f'<div class="body" role="main"><h1>Filters</h1>{content}</div>'
    text = f"<html><head><title>Filters</title></head><body>{body}</body></html>"
    return convert(text.encode(), "text/html; charset=utf-8", URL)


def words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.lower()))


@settings(max_examples=60, deadline=None)
@given(
    shape=st.sampled_from(sorted(SHAPES)),
    sections=st.lists(st.tuples(st.sampled_from(TITLES), bodies), min_size=2, max_size=8),
)
def test_the_words_of_every_section_stay_as_often_as_the_page_has_them(
    shape: str, sections: list[tuple[str, str]]
) -> None:
    content = "".join(
        SHAPES[shape].format(n=n, title=title, body=body, parity=("odd", "even")[n % 2])
        for n, (title, body) in enumerate(sections)
    )
    converted = page(content)
    assert words(re.sub(r"<[^>]+>", " ", content)) - words(converted.markdown) == Counter()
    assert converted.metadata.duplicate_words == 0


PART = f"<h2>Part</h2><p>{TEXTS[0]}</p><p>{TEXTS[1]}</p><ul><li>{TEXTS[2]}</li></ul>"
OTHER = "".join(f"<h2>{title}</h2><p>{text}</p>" for title, text in zip("AB", TEXTS[3:], strict=False))
COPIES = {
    "two widths": f'<div class="d-none d-md-block">{PART}</div><div class="d-md-none">{PART}</div>',
    "widths by name": f'<div class="desktop">{PART}</div><div class="mobile">{PART}</div>',
    "named in one word": f'<div class="card hideOnMobile">{PART}</div><div class="card">{PART}</div>',
    "far apart": f'<div class="hidden-xs">{PART}</div>{OTHER}<div class="visible-xs">{PART}</div>',
    "hidden from a width on": f'<div>{PART}</div><div class="lg:hidden">{PART}</div>',
    "for print": f'<div class="text">{PART}</div><div class="print-version">{PART}</div>',
    "by id": f'<div>{PART}</div><div id="print">{PART}</div>',
    "with a button": f'<div>{PART}</div><div class="mobile"><p>Open</p>{PART}</div>',
    "a slide": f'<div class="slide">{PART}</div><div class="slide slick-cloned">{PART}</div>',
    "all of the page, nested": f'<div class="a"><div>{PART}</div></div><div><p></p><div>{PART}</div></div>',
    "a part in a part": f'<div class="a"><b>1</b><div>{PART}</div></div><div>1<div>{PART}</div></div>',
    "all of the page": f'<div class="article-text">{PART}</div><div class="rich-text">{PART}</div>',
}


@pytest.mark.parametrize("content", COPIES.values(), ids=COPIES.keys())
def test_the_copy_for_another_layout_goes_and_is_counted(content: str) -> None:
    converted = page(content)
    said = ("## Part", *TEXTS[:3])
    assert [converted.markdown.count(text) for text in said] == [1, 1, 1, 1]
    gone = words(re.sub(r"<[^>]+>", " ", content)) - words(converted.markdown)
    assert converted.metadata.duplicate_words == gone.total() >= 59


REPEATED = {
    "parts of one class": f'<div class="mobile">{PART}</div><div class="mobile">{PART}</div>',
    "parts of no class": f"<div>{PART}</div><div>{PART}</div>",
    "under other headings": f'<h2>A</h2><div class="a">{PART}</div><h2>B</h2><div class="b">{PART}</div>',
    "small parts": f'<div class="odd">{PART}</div>{OTHER * 4}<div class="even">{PART}</div>',
    "a part that says more": f'<div>{PART}</div><div class="mobile">{PART}<p>{" ".join(TEXTS[3:])}</p></div>',
    "a section about printing": f'<div>{PART}</div>{OTHER}<section id="print">{PART}</section>',
    "a word that only holds a name": f'<div>{PART}</div>{OTHER * 4}<div class="printf">{PART}</div>',
}


@pytest.mark.parametrize("content", REPEATED.values(), ids=REPEATED.keys())
def test_what_no_layout_explains_stays_twice(content: str) -> None:
    converted = page(content)
    assert [converted.markdown.count(text) for text in TEXTS[:3]] == [2, 2, 2]
    assert converted.metadata.duplicate_words == 0


def thread(*posts: str) -> Converted:
    articles = "".join(
        f'<article class="message post" id="post-{n}"><h4><a href="/u/{n}">user{n}</a></h4>'
        f'<div class="message-body">{post}</div></article>'
        for n, post in enumerate(posts)
    )
    text = (
        '<html><head><title>Slow filters | Forum</title><meta name="generator" content="XenForo"></head>'
        f'<body id="XF" class="template-thread_view"><main><h1>Slow</h1>{articles}</main></body></html>'
    )
    return convert(text.encode(), "text/html; charset=utf-8", "https://forum.example/threads/slow-filters.7/")


def test_the_quotation_of_a_post_that_stands_on_the_page_goes() -> None:
    quotation = f"<blockquote><p>{TEXTS[0]}</p></blockquote>"
    elsewhere = f"<blockquote><p>{TEXTS[4]} {TEXTS[5]}</p></blockquote>"
    converted = thread(
        f"<p>{TEXTS[0]}</p>",
        f"{quotation}<p>{TEXTS[1]}</p>",
        f"{elsewhere}<p>{TEXTS[2]}</p>",
        f"<p>{TEXTS[3]}</p>",
    )
    assert converted.metadata.kind == "forum"
    assert [converted.markdown.count(text) for text in TEXTS] == [1] * 6
    assert converted.metadata.duplicate_words == words(TEXTS[0]).total()


class CountedPath(tuple[html.HtmlElement, ...]):
    """A path that knows how often the paths of a page were walked."""

    walks: ClassVar[Counter[str]] = Counter()

    def __iter__(self) -> Iterator[html.HtmlElement]:
        self.walks["all"] += 1
        return super().__iter__()


@pytest.mark.parametrize("names", [2, 300])
def test_each_block_is_looked_up_as_often_however_many_parts_are_named_for_a_layout(names: int) -> None:
    parts = "".join(f'<div class="mobile-{n % names}"><p>{TEXTS[0]} {n}</p></div>' for n in range(300))
    root = parse(f"<body><div>{parts}</div></body>", URL, ConversionLimits())
    blocks = [replace(block, path=CountedPath(block.path)) for block in list_blocks(root.body)]
    CountedPath.walks.clear()
    assert drop_duplicates(root.body, blocks, [True] * len(blocks), has_posts=True) == 0
    assert CountedPath.walks["all"] == 2 * len(blocks)


def test_the_report_says_what_was_left_out() -> None:
    stats = {"ragcrawler/convert/duplicate_words": 40, "ragcrawler/convert/hidden_characters": 0}
    assert list(left_out_rows(stats).values()) == [0, 40]
