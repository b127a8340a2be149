"""The content of a page: chrome goes, structure stays, and text is found where there is any."""

import gc
from contextlib import suppress

import pytest

from ragcrawler.conversion import ConversionError, ConversionLimits, Converted, convert
from ragcrawler.conversion.html.kinds.page_kind import PageKind
from ragcrawler.conversion.html.parse import parse
from ragcrawler.conversion.html.selection.block_scores import count_votes
from ragcrawler.conversion.html.selection.blocks import list_blocks, words_of
from ragcrawler.conversion.html.selection.by_kind.profile import PROFILES, UNSURE, Profile
from ragcrawler.conversion.html.selection.extractor_text import vote_of
from ragcrawler.conversion.html.selection.select_content import select

URL = "https://docs.example/guide/page.html"
SENTENCES = " ".join(
    f"Sentence number {number} of the {topic} explains one more thing that a reader wants to know."
    for number, topic in enumerate(("article", "manual", "guide", "handbook"))
)
CHROME = """
<header class="site-header"><a href="/">Acme</a> <a href="/login">Log in</a></header>
<nav><ul><li><a href="/a">Products</a></li><li><a href="/b">Pricing</a></li></ul></nav>
<div class="cookie-consent">We use cookies to improve your experience.</div>
"""
FOOT = """
<div class="related-posts"><a href="/r1">Other story one</a> <a href="/r2">Other story two</a></div>
<footer>Copyright Acme. All rights reserved.</footer>
"""


def page(content: str) -> Converted:
    html = f"<html><head><title>Acme</title></head><body>{CHROME}{content}{FOOT}</body></html>"
    return convert(html.encode(), "text/html; charset=utf-8", URL)


def test_the_article_stays_whole_and_the_chrome_goes() -> None:
    content = f"""<main><article><h1>Rotating logs</h1><p>{SENTENCES}</p><h2>Setup</h2><pre>logrotate -f</pre>
    <table><tr><th>Option</th><th>Meaning</th></tr><tr><td>-f</td><td>force</td></tr></table>
    <ul><li>one</li><li>two</li></ul><p>{SENTENCES}</p></article></main>"""
    markdown = page(content).markdown
    kept = ["# Rotating logs", "## Setup", "```\nlogrotate -f\n```", "| -f | force |", "- one\n- two"]
    assert [part for part in kept if part not in markdown] == []
    gone = ["Products", "Pricing", "cookies", "Other story", "Copyright", "Log in"]
    assert [part for part in gone if part in markdown] == []


def test_a_title_before_the_content_region_belongs_to_it() -> None:
    content = f"""<div id="header"><h1>git-log(1)</h1><h2>NAME</h2><p>git-log - Show commit logs</p></div>
    <div id="content"><h2>DESCRIPTION</h2><p>{SENTENCES}</p><p>{SENTENCES}</p></div>"""
    assert page(content).markdown.startswith(
        "# git-log(1)\n\n## NAME\n\ngit-log - Show commit logs\n\n## DESC"
    )


def test_what_stands_between_the_title_and_the_content_is_kept_with_them() -> None:
    head = "<h1>git-switch(1)</h1><h2>DESCRIPTION</h2><p>git-switch - Switch branches</p>"
    body = f"<h2>OPTIONS</h2><p>{SENTENCES}</p>"
    root = parse(f"<body><div>{head}</div><div>{body}</div></body>", URL, ConversionLimits())
    blocks = list_blocks(root.body)
    assert (
        select(root.body, blocks, count_votes(blocks, vote_of(f"DESCRIPTION OPTIONS {SENTENCES}"))).keep
        == [True] * 5
    )


def test_a_listing_keeps_its_entries() -> None:
    entries = "".join(
        f'<div class="card"><a href="/item/{n}"><h3>Lens {n}</h3></a><span>{n}9 EUR</span></div>'
        for n in range(30)
    )
    markdown = page(f'<div class="results"><h1>Lenses</h1>{entries}</div>').markdown
    assert "# Lenses" in markdown
    assert all(f"### [Lens {n}](https://docs.example/item/{n})\n\n{n}9 EUR" in markdown for n in range(30))


def test_every_post_of_a_thread_stays() -> None:
    posts = "".join(
        f'<article class="comment post"><div class="author">user{n}</div><div class="body"><p>'
        f"Reply {n}: {SENTENCES}"
        "</p></div></article>"
        for n in range(8)
    )
    markdown = page(f"<main><h1>How do I rotate?</h1>{posts}</main>").markdown
    assert all(f"Reply {n}:" in markdown for n in range(8))


def test_where_the_extractor_finds_one_post_the_thread_is_kept() -> None:
    texts = [" ".join(f"word{post}x{number}" for number in range(40)) for post in range(4)]
    posts = "".join(f'<div class="post"><div><p>{text}</p></div></div>' for text in texts)
    root = parse(f"<main><h1>Thread</h1><div>{posts}</div></main>", URL, ConversionLimits())
    blocks = list_blocks(root.body)
    assert select(root.body, blocks, count_votes(blocks, vote_of(texts[1]))).keep == [True] * 5


def kept(content: str, voted: str, profile: Profile = UNSURE) -> list[str]:
    """The first words of the blocks that are kept where the extractor kept some text."""
    root = parse(f"<body>{content}</body>", URL, ConversionLimits())
    blocks = list_blocks(root.body)
    keep = select(root.body, blocks, count_votes(blocks, vote_of(voted)), profile).keep
    return [block.words[0] for block, is_kept in zip(blocks, keep, strict=True) if is_kept]


def numbered(name: str, words: int) -> str:
    return " ".join((name, *(f"{name}x{number}" for number in range(words - 1))))


@pytest.mark.parametrize(
    ("kind", "names"), [("documentation", "abcs"), ("forum", "abc"), ("product", "a"), ("article", "a")]
)
def test_where_scattered_votes_fill_no_part_of_the_page_its_kind_says_what_stays(
    kind: PageKind, names: str
) -> None:
    parts = [{name: numbered(f"{name}{part}", 40) for name in "abc"} for part in range(6)]
    posts = "".join(
        f'<div class="p">{"".join(f"<p>{text}</p>" for text in part.values())}</div>' for part in parts
    )
    side = "".join(f"<div><p>{numbered(f's{number}', 20)}</p></div>" for number in range(3))
    content = f"<div><div>{posts}</div><div>{side}</div></div>"
    voted = " ".join(part["a"] for part in parts)
    assert {word[0] for word in kept(content, voted, PROFILES[kind])} == set(names)


def test_chinese_is_counted_by_characters_so_that_an_english_box_is_not_the_content() -> None:
    chinese = [
        f"这本手册的第{number}章说明怎样安装和配置系统以及怎样解决常见的问题" for number in "一二三四五六"
    ]
    box = numbered("box", 40)
    content = "".join(f"<h2>第{text[6]}章</h2><p>{text}</p><pre>ls -{text[6]}</pre>" for text in chinese)
    found = kept(f"<div>{content}<div><p>{box}</p></div></div>", f"{' '.join(chinese)} {box}")
    assert found.count("ls") == 6
    assert found.count("第") == 6


def test_a_box_that_has_most_of_the_votes_is_widened_to_its_section() -> None:
    box = f'<div class="sidebar"><div><p>{numbered("box", 60)}</p></div></div>'
    content = f'<div class="section"><h2>Title</h2><p>{numbered("text", 90)}</p>{box}</div>'
    assert kept(content, numbered("box", 60)) == ["title", "text", "box"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Use the apt-get COMMAND", ["use", "the", "apt", "get", "command"]),
        ("用apt安装，再试", ["用", "apt", "安", "装", "再", "试"]),
        ("メールを ls で", ["メ", "ー", "ル", "を", "ls", "で"]),
        ("물은 집에서", ["물은", "집에서"]),
        ("Größe naïve", ["größe", "naïve"]),
    ],
)
def test_words_of_languages_with_and_without_blanks(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_a_label_in_japanese_is_not_found_in_a_text_that_has_parts_of_it() -> None:
    vote = vote_of("この章のはじめに、目次を見る人のための説明がある。")
    assert vote.share_of(words_of("この章の目次を見る")) == 0
    assert vote.share_of(words_of("目次を見る人のための説明")) == 1


def test_content_that_only_stands_in_noscript_is_found() -> None:
    content = f'<div id="app"></div><noscript><h1>Thread</h1><p>{SENTENCES}</p><p>{SENTENCES}</p></noscript>'
    assert "Sentence number 3 of the handbook" in page(content).markdown


def test_a_page_of_nothing_but_links_is_not_empty() -> None:
    html = "<body><nav>" + "".join(f'<a href="/{n}">Chapter {n}</a> ' for n in range(9)) + "</nav></body>"
    assert "[Chapter 8](https://docs.example/8)" in convert(html.encode(), "text/html", URL).markdown


def test_the_way_to_the_result_stands_in_the_metadata() -> None:
    assert page(f"<main><h1>T</h1><p>{SENTENCES}</p></main>").metadata.converter == "html-projection"


@pytest.mark.parametrize(
    "html",
    [
        "<html><body></body></html>",
        "<html><head><title>Only a title</title></head></html>",
        "<body><script>var text = 'not text';</script><noscript>Please enable JavaScript.</noscript></body>",
        "<body><div id=root></div></body>",
        "<!-- nothing -->",
    ],
)
def test_a_page_without_visible_text_is_empty(html: str) -> None:
    with pytest.raises(ConversionError) as raised:
        convert(html.encode(), "text/html", URL)
    assert (raised.value.reason, raised.value.url) == ("empty", URL)


def test_a_page_too_long_for_the_extractor_keeps_all_but_boilerplate() -> None:
    code = "a line of code\n" * 300_000
    converted = page(f"<main><h1>Title</h1><pre>{code}</pre><p>{SENTENCES}</p></main>")
    assert converted.metadata.converter == "html-page"
    assert "too long for the extractor" in converted.metadata.warnings[0]
    assert "Sentence number 3 of the handbook" in converted.markdown
    assert "Pricing" not in converted.markdown


@pytest.mark.parametrize("tag", ["main", "article", "section"])
@pytest.mark.parametrize("behind", ["", "<p>And more.</p>"])
def test_content_is_found_where_head_and_body_are_left_out(tag: str, behind: str) -> None:
    content = f"<{tag}><h1>Pumps</h1><p>Prime it.</p></{tag}>{behind}"
    page = f"<!doctype html><html lang=en><title>T</title>{content}"
    markdown = convert(page.encode(), "text/html", "https://a.org/").markdown
    assert markdown.split()[:4] == ["#", "Pumps", "Prime", "it."]


def test_a_button_that_was_never_closed_does_not_swallow_the_page() -> None:
    found = convert(b"<body><button>Menu<main><h1>T</h1><p>the article</p></main>", "text/html", URL)
    assert found.markdown == "# T\n\nthe article\n"


def test_a_reference_whose_note_is_not_kept_stays_text() -> None:
    note = '<footer><ol><li id="n1"><p>Terms apply. <a href="#r1">^</a></p></li></ol></footer>'
    found = page(
        f'<main><p>{SENTENCES}<sup><a id="r1" href="#n1">1</a></sup></p><p>{SENTENCES}</p></main>{note}'
    )
    assert "wants to know.[1]" in found.markdown
    assert "[^1]" not in found.markdown


def test_a_chapter_about_comments_is_kept_though_an_anchor_stands_before_its_title() -> None:
    chapter = (
        f'<section id="comments"><span id="index-3"></span><h2>Comments</h2><p>{SENTENCES}</p></section>'
    )
    found = page(f"<main><h1>Lexical analysis</h1><p>{SENTENCES}</p>{chapter}<p>{SENTENCES}</p></main>")
    assert "## Comments" in found.markdown


@pytest.mark.parametrize("is_enabled", [True, False])
@pytest.mark.parametrize("body", ["<main><p>Some text.</p></main>", "<body></body>"])
def test_the_collector_of_cycles_is_left_as_it_was(is_enabled: bool, body: str) -> None:
    before = gc.isenabled()
    (gc.enable if is_enabled else gc.disable)()
    try:
        with suppress(ConversionError):
            convert(body.encode(), "text/html", URL)
        assert gc.isenabled() == is_enabled
    finally:
        (gc.enable if before else gc.disable)()
