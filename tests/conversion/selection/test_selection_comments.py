"""Readers' comments go from an article, and stay where the page is made of them."""

import pytest

from ragcrawler.conversion import convert

URL = "https://blog.example/2024/05/logs.html"
PARAGRAPHS = "".join(
    f"<p>Paragraph {number} of the article explains at some length how {topic} is done, why it matters to "
    "those who run servers at night, and which of the usual mistakes can be avoided with little effort.</p>"
    for number, topic in enumerate(("rotation", "compression", "shipping", "deletion", "retention"))
)
COMMENTS = [
    f"Comment {number}: I have tried it with {number} servers, and it works well for all of them, thank you."
    for number in range(60)
]


def markdown_of(body: str) -> str:
    page = f"<html><head><title>Logs</title></head><body>{body}</body></html>"
    return convert(page.encode(), "text/html; charset=utf-8", URL).markdown


@pytest.mark.parametrize(
    "section",
    [
        '<div id="comments">{}</div>',
        '<section id="comments" class="comments-area"><h2>60 thoughts on Logs</h2>{}</section>',
        '<ol class="comment-list">{}</ol>',
        '<div class="post-comments">{}</div>',
        '<div id="disqus_thread">{}</div>',
    ],
)
@pytest.mark.parametrize("around", ["<main>{}</main>", "<main><article>{}</article></main>", "<div>{}</div>"])
def test_comments_below_an_article_go(section: str, around: str) -> None:
    comments = "".join(f'<div class="comment"><b>reader</b><p>{text}</p></div>' for text in COMMENTS)
    markdown = markdown_of(around.format(f"<h1>Logs</h1>{PARAGRAPHS}{section.format(comments)}"))
    assert all(f"Paragraph {number} of" in markdown for number in range(5))
    assert "Comment 7:" not in markdown


def test_comments_without_names_of_their_own_go_too() -> None:
    comments = "".join(f"<p>{text}</p>" for text in COMMENTS)
    markdown = markdown_of(f'<article><h1>Logs</h1>{PARAGRAPHS}<div id="comments">{comments}</div></article>')
    assert "Paragraph 4 of" in markdown
    assert "Comment 7:" not in markdown


@pytest.mark.parametrize(
    "chapter",
    [
        '<section id="comments"><h2>Comments</h2>{}</section>',
        '<div class="sect1"><h2 id="comments">C</h2>{}</div>',
    ],
)
def test_a_chapter_about_comments_is_no_comment(chapter: str) -> None:
    text = "<p>A comment begins with a hash and ends with the line; compilers skip it.</p><pre># one</pre>"
    markdown = markdown_of(f"<main><h1>Syntax</h1>{PARAGRAPHS}{chapter.format(text)}</main>")
    assert "ends with the line" in markdown
    assert "```\n# one\n```" in markdown


def test_where_there_is_no_article_the_comments_are_the_page() -> None:
    comments = "".join(f'<div class="comment"><p>{text}</p></div>' for text in COMMENTS)
    markdown = markdown_of(f'<main><h1>How do I rotate?</h1><div id="comments">{comments}</div></main>')
    assert all(f"Comment {number}:" in markdown for number in range(60))
