"""The pages without scripts: what they show, and that hostile text stays text."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from lxml import html

from ragcrawler.retrieval.passage import Passage
from ragcrawler.server.api.endpoints import ENDPOINTS
from ragcrawler.server.pages.excerpt import excerpt
from ragcrawler.server.pages.markdown import markdown_html, marked, web_url
from ragcrawler.server.services.results import HitResult
from tests.server.conftest import RunningServer
from tests.server.library import chunk_id, fill, handbook

PAGES = [
    "/",
    "/?q=rotate",
    "/?q=rotate&fragment=1",
    "/?q=%3Cscript%3Ealert(1)%3C/script%3E",
    "/document/hostile?q=rotate",
    "/document/guide",
    f"/chunk/{chunk_id(99)}?q=rotate",
    "/sources",
    "/documents",
    "/runs",
    "/runs/20260102T030405Z-seeds-1",
    "/api",
    "/nowhere",
    "/document/none",
]


def page(client: httpx.Client, path: str) -> html.HtmlElement:
    return html.document_fromstring(client.get(path, headers={"Accept": "text/html"}).text)


@pytest.mark.parametrize("path", PAGES)
def test_no_page_holds_markup_of_strangers(client: httpx.Client, path: str) -> None:
    tree = page(client, path)
    own = [each.get("src") for each in tree.iter("script")]
    assert all(src.startswith("/static/search.js?v=") for src in own)
    assert not list(tree.iter("img", "iframe", "object", "style", "b"))
    assert not [name for each in tree.iter() for name in each.attrib if name.startswith("on")]
    assert not [each for each in tree.iter() if each.get("style")]
    for link in tree.iter("a"):
        href = link.get("href")
        assert href.startswith(("/", "#main", "https://", "http://")), href
        if href.startswith("http"):
            assert link.get("rel").startswith("noopener nofollow")
    assert "\u202e" not in tree.text_content()


def test_hits_are_shown_with_marks_links_and_where_they_stand(client: httpx.Client) -> None:
    tree = page(client, "/?q=rotate the logs&site=docs.example")
    first = tree.find_class("hit")[0]
    assert first.find_class("to")[0].get("href") == "https://docs.example/guide#logs"
    assert {each.text_content() for each in first.iter("mark")} >= {"Rotate", "logs"}
    assert "Guide" in first.find_class("place")[0].text_content()
    sections = [each.get("href") for each in first.find_class("place")[0].iter("a")]
    assert sections == [
        "/?q=rotate+the+logs&site=docs.example&section=Guide",
        "/?q=rotate+the+logs&site=docs.example&section=Logs",
    ]
    below = page(client, sections[1])
    assert len(below.find_class("hit")) == 2


def test_headings_are_shown_by_their_words_and_found_by_them(
    tmp_path: Path, serve_with: Callable[..., RunningServer]
) -> None:
    path = ("Guide", r"The `\markdown` *command* \_here\_", "\u2014")
    fill(tmp_path, [replace(handbook()[0], section_path=path, content="Install it.[^5] `a[^5]`")])
    with serve_with(tmp_path).client() as client:
        (hit,) = page(client, "/?q=install").find_class("hit")
        links = list(hit.find_class("place")[0].iter("a"))
        shown = ["Guide", r"The \markdown command _here_", "\u2014"]
        assert [each.text for each in links] == shown
        assert hit.find_class("excerpt")[0].text_content().strip() == "Install it. a[^5]"
        for link in (*(each.get("href") for each in links), "/?q=install&section=COMMAND"):
            assert page(client, link).find_class("hit"), link
        assert not page(client, "/?q=install&section=Guide+other").find_class("hit")
        (found,) = client.get("/api/search", params={"q": "install"}).json()["hits"]
        assert found["section_path"] == found["chunk"]["section_path"] == shown


def test_a_hostile_hit_is_text_and_its_script_link_leads_to_the_document(client: httpx.Client) -> None:
    tree = page(client, "/?q=override click&site=evil.example:8080")
    (hit,) = tree.find_class("hit")
    assert hit.find_class("to")[0].get("href") == "http://evil.example:8080/page"
    assert "<script>title</script>" in hit.text_content()
    assert "reads like instructions" in hit.text_content()


def test_a_page_of_hits_and_what_it_loads_is_small(client: httpx.Client) -> None:
    answer = client.get("/?q=rotate")
    tree = html.document_fromstring(answer.text)
    loaded = [each.get("href") for each in tree.iter("link")] + [
        each.get("src") for each in tree.iter("script")
    ]
    assert len(loaded) == 3
    files = [client.get(each) for each in loaded]
    assert all("immutable" in each.headers["cache-control"] for each in files)
    assert len(answer.content) + sum(len(each.content) for each in files) < 100_000


def test_neighbours_and_the_whole_document_are_a_link_away(client: httpx.Client) -> None:
    (hit, *_) = page(client, "/?q=rotate the logs").find_class("hit")
    around, whole = [each.get("href") for each in hit.find_class("more")[0].iter("a")]
    texts = page(client, around).find_class("text")
    assert len(texts) == 4
    assert "found" in texts[1].get("class")
    path, _, fragment = whole.partition("#")
    section = page(client, path).get_element_by_id(fragment)
    assert "logrotate" in section.text_content()


def test_a_long_document_is_shown_in_parts(client: httpx.Client) -> None:
    tree = page(client, "/document/guide?start=2")
    assert [each.get("id") for each in tree.iter("section")] == ["chunk-2", "chunk-3"]
    assert tree.xpath("//a[@rel='prev']/@href")[0] == "/document/guide?start=0&q="


def test_sources_documents_and_runs_are_listed(client: httpx.Client) -> None:
    (site, *_) = page(client, "/sources").xpath("//tbody//a/@href")
    (document,) = page(client, site).xpath("//main//li/a/@href")
    assert document == "/document/guide"
    (run,) = page(client, "/runs").xpath("//main//li/a/@href")
    report = page(client, run)
    assert report.xpath("//td/text()") == ["<b>bold</b>", "1"]


def test_the_report_of_a_run_is_shown_without_its_scripts(
    serve_with: Callable[..., RunningServer], tmp_path: Path
) -> None:
    run = tmp_path / "runs" / "20260102T030405Z-seeds-1"
    run.mkdir(parents=True)
    (run / "report.json").write_text("{}", "utf-8")
    (run / "report.html").write_text("<style>p {}</style><script>alert(1)</script>", "utf-8")
    with serve_with(tmp_path).client() as client:
        assert "/runs/20260102T030405Z-seeds-1/report.html" in client.get("/runs").text
        policy = client.get(f"/runs/{run.name}/report.html").headers["content-security-policy"]
    assert "sandbox" in policy
    assert "script-src" not in policy


def test_the_page_of_the_api_names_every_endpoint_and_its_description(client: httpx.Client) -> None:
    tree = page(client, "/api")
    shown = [each.text_content() for each in tree.xpath("//main//li/code")]
    assert shown == [f"{each.method} {each.path}" for each in ENDPOINTS]
    assert "/openapi.json" in tree.xpath("//main//a/@href")
    for path in tree.xpath("//main//li//a/@href"):
        assert client.get(path).status_code == 200


def test_an_empty_collection_says_what_to_do(
    serve_with: Callable[..., RunningServer], tmp_path: Path
) -> None:
    with serve_with(tmp_path).client() as client:
        for path in ("/", "/?q=anything", "/sources"):
            assert "scrapy crawl seeds" in client.get(path).text


def test_an_error_is_a_page(client: httpx.Client) -> None:
    answer = client.get("/document/none", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "<p>There is no document none.</p>" in answer.text
    assert client.get("/document/none").json() == {"error": "There is no document none."}
    assert client.get("/static/none").status_code == 404
    assert client.get("/?kind=magic").status_code == 422


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>\n"),
        ("[a](data:text/html,x)", "<p>[a](data:text/html,x)</p>\n"),
        ("[a](/b)", '<p><a href="https://a.example/b" rel="noopener nofollow ugc">a</a></p>\n'),
        ("[a](ftp://b.example)", "<p><span>a</span></p>\n"),
        ("[a](//b.example)", '<p><a href="https://b.example" rel="noopener nofollow ugc">a</a></p>\n'),
        ("![a](https://b.example/c.png)", '<p><span class="picture">a</span></p>\n'),
        ("[![a](b.png)](ftp://c)", '<p><span><span class="picture">a</span></span></p>\n'),
        ("&#x202e;x &lt;i&gt;", "<p>x &lt;i&gt;</p>\n"),
        ("# a", "<h2>a</h2>\n"),
        ('```"><script>\nx < y\n```', '<pre tabindex="0"><code>x &lt; y\n</code></pre>\n'),
        ("`<logs>`", "<p><code>&lt;<mark>logs</mark>&gt;</code></p>\n"),
        (
            "|||\n|-|-|\n|a|b|",
            '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n<thead>\n<tr>\n'
            "<td></td>\n<td></td>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n"
            "</tbody>\n</table></div>\n",
        ),
        (
            "|a|b|\n|-:|:-:|\n|1|2|",
            '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n<thead>\n<tr>\n'
            '<th class="right">a</th>\n<th class="center">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n'
            '<td class="right">1</td>\n<td class="center">2</td>\n</tr>\n</tbody>\n</table></div>\n',
        ),
        ("x \x1b[2J", "<p>x [2J</p>\n"),
    ],
)
def test_markdown_becomes_html_that_only_reads(text: str, expected: str) -> None:
    assert markdown_html(text, base_url="https://a.example/x", wanted={"log"}) == expected


def test_deep_and_long_markdown_is_bounded() -> None:
    assert len(markdown_html(">" * 30_000)) < 1_000_000
    assert len(markdown_html("[" * 30_000)) < 100_000
    assert len(markdown_html("a " * 100_000)) < 30_000


@pytest.mark.parametrize(
    ("url", "base", "expected"),
    [
        ("https://a.example/b", "", "https://a.example/b"),
        ("JAVASCRIPT:alert(1)", "", ""),
        ("java\nscript:alert(1)", "https://a.example/", ""),
        ("//b.example/c", "", ""),
        ("c", "https://a.example/b", "https://a.example/c"),
        ("http://[", "", ""),
        ("https:///c", "", ""),
    ],
)
def test_links_lead_to_the_web_or_nowhere(url: str, base: str, expected: str) -> None:
    assert web_url(url, base) == expected


def test_words_are_marked_by_their_stems() -> None:
    assert marked("Rotating <logs>", {"rotat", "log"}) == "<mark>Rotating</mark> &lt;<mark>logs</mark>&gt;"


def test_an_excerpt_shows_the_lines_with_the_words() -> None:
    chunk = handbook()[0]
    text = (
        "# Guide\n\n" + "Nothing of it here. " * 50 + "Rotate the *logs* [here](x). " + "And no more. " * 50
    )
    hit = HitResult.of(1, Passage((chunk,), (chunk,), 1.0, text))
    shown = excerpt(hit, "rotate logs", {"rotat", "log"})
    assert "<mark>Rotate</mark> the <mark>logs</mark> here." in shown
    assert shown.startswith("<p>… ")
    assert shown.endswith(" …</p>")
    assert len(shown) < 500
