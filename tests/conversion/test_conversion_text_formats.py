"""Markdown, plain text, reStructuredText, JSON, XML and feeds."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ragcrawler.conversion import ConversionError, Converted, convert
from ragcrawler.conversion.text.heading_anchors import with_heading_anchors

URL = "https://a.example/docs/file.txt"
RSS = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>News &amp; more</title>
<description>All of it</description>
<item><title>First</title><link>/one</link><pubDate>Tue, 05 Mar 2024</pubDate>
<description>&lt;p&gt;A &lt;b&gt;bold&lt;/b&gt; start&lt;/p&gt;</description></item>
<item><title>Second</title><guid>https://a.example/two</guid></item>
<item><title>Third</title><guid isPermaLink="false">77</guid></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><entry><title>One</title>
<link rel="self" href="/self"/><link href="https://a.example/one"/><updated>2024-03-05</updated></entry></feed>"""


def of(body: bytes, content_type: str) -> Converted:
    return convert(body, content_type, URL)


def test_markdown_stays_as_it_is() -> None:
    converted = of(b"Setext\n======\r\n\r\n* a\n\n    code\n", "text/markdown")
    assert converted.markdown == "Setext\n======\n\n* a\n\n    code\n"
    assert converted.title == "Setext"
    assert converted.metadata.converter == "markdown"


@pytest.mark.parametrize(
    "front",
    [
        "---\ntitle: A title\ndate: 2024-03-05\nauthors: [Ada, Bob]\nlang: en\n"
        "description: What it is\n---\n",
        '+++\ntitle = "A title"\ndate = 2024-03-05\nauthors = ["Ada", "Bob"]\nlang = "en"\n'
        'description = "What it is"\n+++\n',
        "---\r\ntitle: 'A title'\r\npublished: 2024-03-05T10:00:00Z\r\nauthor:\r\n  - Ada\r\n  - Bob\r\n"
        "language: en\r\nsummary: What it is\r\n---\r\n",
    ],
)
def test_front_matter_goes_into_the_metadata(front: str) -> None:
    converted = of((front + "# Heading\n\ntext\n").encode(), "text/markdown")
    assert (converted.title, converted.markdown) == ("A title", "# Heading\n\ntext\n")
    metadata = converted.metadata
    assert (metadata.author, metadata.published, metadata.language) == ("Ada; Bob", "2024-03-05", "en")
    assert (metadata.description, metadata.warnings) == ("What it is", ())


@pytest.mark.parametrize(
    "front", ["---\n- a list\n---\n", "---\na: [\n---\n", "+++\nx\n+++\n", "---\n&a [*a]\n---\n"]
)
def test_front_matter_that_cannot_be_read_stays_in_the_text_with_a_warning(front: str) -> None:
    converted = of((front + "# Heading\n").encode(), "text/markdown")
    assert converted.markdown == front + "# Heading\n"
    assert len(converted.metadata.warnings) == 1


@pytest.mark.parametrize(
    ("mdx", "markdown"),
    [
        ("import A from 'b'\n\n# Title", "# Title"),
        ("# Title\n\nexport const a = {\n\n  b: [1],\n}\n\ntext", "# Title\n\n\n\n\n\n\ntext"),
        ("text\n\nexport { a ( b\n\nafter", "text\n\n\n\nafter"),
        (
            "import data from the archive\n\nexport your data",
            "import data from the archive\n\nexport your data",
        ),
        ("text\nimport {a} from 'b'", "text\nimport {a} from 'b'"),
        ("a <Mark color='red'>red *b*</Mark> c", "a red *b* c"),
        ("a {/* note\nx */} b", "a \n b"),
        ("a { /* note */ } b", "a  b"),
        ("a {/* note */ b", "a  b"),
        ("a {/* no end", "a {/* no end"),
        ("`<A>` ``{/* ` */}`` <A>x</A>", "`<A>` ``{/* ` */}`` x"),
        ("```jsx\n<A>\n```\n</A>", "```jsx\n<A>\n```"),
        ("\\<A> and \\{/* x */}", "\\<A> and \\{/* x */}"),
        ("Map<String> and a < b > c", "Map<String> and a < b > c"),
        ("<>\n  text\n</>", "text"),
        ('<A href="/b">words</A>', "[words](/b)"),
        ('<A to="/b" label="More *stars*" />', "**[More \\*stars\\*](/b)**"),
        ('see <A text="this" />.', "see this."),
        ('<Image src="/p.png" alt="Pump" />', "![Pump](/p.png)"),
        (
            "<A\n  icon='x'\n  hint={'Turn it off first'}\n  className='big red'\n/>\ntext",
            "**Turn it off first**\n\n\n\n\ntext",
        ),
        ("<A onClick={() => { b = 'c d' }} style={{color: 'x y'}}>\n\ntext\n\n</A>", "text"),
        ("<A>\n      six\n\n        eight\n</A>\n\n    four", "six\n\n  eight\n\n\n    four"),
        (
            "- a\n\n  <B>\n    <C>\n      deep\n    </C>\n  </B>\n\n  b",
            "- a\n\n\n\n  deep\n\n\n\n  b",
        ),
        (
            "<details>\n    <summary>More</summary>\n\n    text\n</details>",
            "<details>\n<summary>More</summary>\n\ntext\n</details>",
        ),
        ("{props.name} {'a'}{' '}{\"b\"}", "{props.name} {'a'} {\"b\"}"),
    ],
)
def test_of_mdx_the_words_stay_and_the_program_goes(mdx: str, markdown: str) -> None:
    assert of(mdx.encode(), "text/mdx").markdown == markdown + "\n"


_WORDS = [
    " ",
    "\n",
    "\n\n",
    "  ",
    "a",
    "import",
    "export",
    "`",
    "```",
    "~~~",
    "<A>",
    "</A>",
    "<A ",
    "/>",
    ">",
]
_WORDS += ["{", "}", "/*", "*/", '"', "'", "=", "b=", "<div>", "</div>", "- ", "> ", "\\", "word"]


@given(some.lists(some.sampled_from(_WORDS), max_size=60))
def test_every_line_of_mdx_stays_where_it_is(words: list[str]) -> None:
    text = "".join(["# first\n\n", *words, "\n\nlast words"])
    markdown = of(text.encode(), "text/mdx").markdown
    assert markdown.endswith("last words\n")
    assert markdown.count("\n") == text.count("\n") + 1


def test_comments_and_exports_that_mdx_loses_are_counted() -> None:
    body = b"import a from 'b'\n\nexport const a = [\n\n  'words',\n]\n\n# Title\n\n{/* hidden */}\n"
    converted = of(body, "text/mdx")
    assert converted.metadata.warnings == ("left out: lines of exports, which are program (3)",)
    assert converted.metadata.hidden_characters == len("{/* hidden */}")
    assert (converted.title, converted.first_line) == ("Title", 7)


@pytest.mark.parametrize(
    ("markdown", "anchors"),
    [
        (
            "# Setting up\n\ntext\n\n## What's `next_step`, *really*?",
            [(0, "setting-up"), (4, "whats-next_step-really")],
        ),
        ("Setext\n===\n\n> ## Quoted", [(0, "setext"), (3, "quoted")]),
        ("# A\n# A\n# A-1\n# A", [(0, "a"), (1, "a-1"), (2, "a-1-1"), (3, "a-2")]),
        ("# A - B & C", [(0, "a---b--c")]),
        ("# Größe über हिन्दी 日本", [(0, "größe-über-हिन्दी-日本")]),
        ("# See [the *guide*](x.md) ![p](p.png) <b>now</b>", [(0, "see-the-guide--now")]),
        ("# Own {#my-id .x}\n\n# Own", [(0, "my-id"), (2, "own")]),
        ('<a id="top"></a>\n\n# Top\n\nin <a name=here>text</a>', [(0, "top"), (2, "top-1"), (4, "here")]),
        ("```\n# code\n```\n\n    # code\n\n#\n\n# !?", []),
    ],
)
def test_headings_of_markdown_are_named_as_its_renderers_name_them(
    markdown: str, anchors: list[tuple[int, str]]
) -> None:
    found = with_heading_anchors(of(markdown.encode(), "text/markdown")).anchors
    assert [(anchor.line, anchor.id) for anchor in found] == anchors


def test_other_formats_get_no_names_of_headings() -> None:
    text = of(b"# no heading", "text/plain")
    assert with_heading_anchors(text) is text


def test_a_rule_at_the_beginning_is_no_front_matter() -> None:
    assert of(b"---\n\ntext\n\n---", "text/markdown").markdown == "---\n\ntext\n\n---\n"


def test_links_of_markdown_are_absolute_and_named_once() -> None:
    body = b"[a](b.md) [c](<d.md#e>) <https://x.example/y> ![i](i.png)\n\n[j]: k.md\n[a](b.md) mailto:x"
    links = of(body, "text/markdown").links
    base = "https://a.example/docs/"
    assert links == (f"{base}b.md", f"{base}d.md", f"{base}i.png", f"{base}k.md", "https://x.example/y")


def test_plain_text_keeps_its_lines_and_is_named_after_its_file() -> None:
    converted = of(b"\n\none\r\n  two\rthree\n", "text/plain")
    assert (converted.markdown, converted.title) == ("one\n  two\nthree\n", "file.txt")


@pytest.mark.parametrize(
    ("body", "content_type", "markdown"),
    [
        (b'{"b":[1,"\xc3\xa4"]}', "application/json", '~~~json\n{\n  "b": [\n    1,\n    "ä"\n  ]\n}\n~~~\n'),
        (b'{"broken": ', "application/json", '~~~json\n{"broken": \n~~~\n'),
        (b"<a>\n~~~~\n</a>", "application/xml", "~~~~~xml\n<a>\n~~~~\n</a>\n~~~~~\n"),
    ],
)
def test_data_stands_in_a_fence(body: bytes, content_type: str, markdown: str) -> None:
    assert of(body, content_type).markdown == markdown


def test_json_nested_beyond_measure_is_kept_as_it_is() -> None:
    body = b"[" * 100_000
    assert of(body, "application/json").markdown == f"~~~json\n{body.decode()}\n~~~\n"


def test_a_sitemap_gives_its_links() -> None:
    body = b'<?xml version="1.0"?><urlset><url><loc>https://a.example/1</loc></url></urlset>'
    assert of(body, "application/xml").links == ("https://a.example/1",)


def test_vocabularies_of_xml_are_no_links() -> None:
    body = b"""<!DOCTYPE book PUBLIC "-//OASIS//DTD" "http://a.example/book.dtd">
    <book xmlns="http://a.example/ns/book" xmlns:xlink='http://www.w3.org/1999/xlink'
     xsi:schemaLocation="http://a.example/ns http://a.example/s.xsd"><link href="https://a.example/2"/></book>"""
    assert of(body, "application/xml").links == ("https://a.example/2",)


def test_a_footnote_is_no_definition_of_a_link() -> None:
    body = b"a [^1] b [c]\n\n[^1]: See the appendix, [d](d.md).\n[c]: c.md\n"
    assert of(body, "text/markdown").links == ("https://a.example/docs/d.md", "https://a.example/docs/c.md")


def test_rss_becomes_a_list_of_links() -> None:
    converted = of(RSS, "application/rss+xml")
    assert converted.markdown == (
        "# News & more\n\n"
        "- [First](https://a.example/one) – Tue, 05 Mar 2024 – A bold start\n"
        "- [Second](https://a.example/two)\n"
        "- Third\n"
    )
    assert converted.links == ("https://a.example/one", "https://a.example/two")
    assert (converted.title, converted.metadata.description) == ("News & more", "All of it")


def test_atom_entries_link_to_their_page() -> None:
    converted = of(ATOM, "application/atom+xml")
    assert converted.markdown == "# Atom\n\n- [One](https://a.example/one) – 2024-03-05\n"


@pytest.mark.parametrize(
    ("body", "content_type", "reason"),
    [
        (b"", "text/plain", "empty"),
        (b" \n\t ", "text/html", "empty"),
        ("\u200b\u200b".encode(), "text/plain", "empty"),
        (b"---\ntitle: x\n---\n", "text/markdown", "empty"),
        (b"<rss><channel><title>x</title></channel></rss>", "application/rss+xml", "empty"),
        (b"no feed at all", "application/rss+xml", "damaged"),
    ],
)
def test_nothing_to_convert_is_a_typed_error(body: bytes, content_type: str, reason: str) -> None:
    with pytest.raises(ConversionError) as raised:
        of(body, content_type)
    assert raised.value.reason == reason


def test_entities_in_a_feed_are_not_expanded() -> None:
    bomb = b'<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>'
    body = bomb + b"<rss><channel><title>x</title><item><title>[&b;&f;]</title></item></channel></rss>"
    assert of(body, "application/rss+xml").markdown == "# x\n\n- [&b;&f;]\n"
