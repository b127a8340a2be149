"""What the report of a crawl says beyond its sums: what was crawled, and which pages somebody should see."""

import json
from collections.abc import Callable
from typing import Any

from lxml import html

Crawl = Callable[..., Any]
SHELL = b'<html><body><div id="root"></div><script>document.body.textContent = "x"</script></body></html>'


def section(run: Any, name: str) -> str:
    """The text of a section of the report's page."""
    (path,) = run.output.glob("runs/*/report.html")
    tree = html.document_fromstring(path.read_text("utf-8"))
    return " ".join(" ".join(tree.get_element_by_id(name).itertext()).split())


def skipped(run: Any) -> dict[str, dict[str, str]]:
    """The lines of the list, by URL."""
    (path,) = run.output.glob("runs/*/skipped.jsonl")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(lines) == len({line["url"] for line in lines})
    return {line["url"]: line for line in lines}


def test_the_report_says_what_was_crawled(site: Any, crawl: Crawl) -> None:
    site.page("/docs/")
    run = crawl(domains=f"{site.url}/docs/", max_depth="2", exclude="/old/", SITEMAPS="off")
    host = site.url.removeprefix("http://")
    assert run.report["domains"] == [f"{host}/docs/"]
    assert run.report["arguments"] == {
        "domains": f"{site.url}/docs/",
        "max_depth": "2",
        "exclude": "/old/",
    }
    (path,) = run.output.glob("runs/*/report.md")
    text = path.read_text("utf-8")
    assert text.startswith(f"# Crawl of {host}/docs/\n")
    assert "| -a exclude | /old/ |" in text


def test_junk_is_told_by_word_with_the_setting_that_keeps_it(site: Any, crawl: Crawl) -> None:
    site.page("/", "/faq.html", "/help/faqs/install", "/contact", "/a")
    site.page("/a", "/faq.html")
    run = crawl(domains=site.url, SITEMAPS="off")
    assert run.skipped["junk"] == 3
    assert run.stats["ragcrawler/junk/faq"] == 2
    assert run.stats["ragcrawler/junk/contact"] == 1
    look = section(run, "look")
    assert f"Left out as junk {site.url}/faq.html {site.url}/help/faqs/install {site.url}/contact" in look
    assert "contact 1, faq 2. -s JUNK_URL_KEEP=contact,faq keeps these pages" in look


def test_a_word_of_the_pattern_can_be_kept_by_its_name(site: Any, crawl: Crawl) -> None:
    site.page("/", "/faq.html", "/contact")
    site.page("/faq.html")
    run = crawl(domains=site.url, SITEMAPS="off", JUNK_URL_KEEP="faq")
    assert {each["url"] for each in run.documents} == {f"{site.url}/", f"{site.url}/faq.html"}
    assert run.skipped == {"junk": 1}


def test_what_is_left_out_is_listed_with_its_reason(site: Any, crawl: Crawl) -> None:
    site.page("/", "/contact", "http://b.example/", "/gone", "/twin", "/a")
    site.page("/a")
    site.answers["/twin"] = site.answers["/a"]
    body = site.answers["/"][2].replace(b"</ul>", b'<a href="/sponsor" rel="nofollow">s</a></ul>')
    site.answers["/"] = (200, {}, body)
    run = crawl(domains=site.url, SITEMAPS="off")
    listed = skipped(run)
    reasons = {url.removeprefix(site.url): line["reason"] for url, line in listed.items()}
    # Whichever comes last is the twin.
    assert [reasons.pop(path, "") for path in ("/a", "/twin")].count("duplicate_content") == 1
    assert reasons == {
        "/contact": "junk",
        "http://b.example/": "offsite",
        "/gone": "http_404",
        "/sponsor": "nofollow",
    }
    assert listed[f"{site.url}/contact"]["parent_url"] == f"{site.url}/"
    assert len(listed) == sum(run.skipped.values())


def test_pages_as_they_were_are_not_among_those_left_out(site: Any, crawl: Crawl) -> None:
    site.page("/", "/a")
    site.page("/a")
    crawl(domains=site.url, SITEMAPS="off")
    again = crawl(domains=site.url, SITEMAPS="off")
    assert again.skipped == {"unchanged": 2}
    assert not list(again.output.glob("runs/*/skipped.jsonl"))


def test_pages_without_their_scripts_and_pages_hardly_found_are_to_be_looked_at(
    site: Any, crawl: Crawl
) -> None:
    site.page("/", "/app", "/menu")
    site.answers["/app"] = (200, {}, SHELL)
    links = "".join(f'<p><a href="https://b.example/{number}">Item {number}</a></p>' for number in range(40))
    site.answers["/menu"] = (200, {}, f"<html><body><div>{links}</div></body></html>".encode())
    run = crawl(domains=site.url, SITEMAPS="off", CHROMIUM_PATH="/nowhere/chromium")
    look = section(run, "look")
    assert f"Not rendered, though they need JavaScript {site.url}/app no browser" in look
    assert f"{site.url}/menu" in look.partition("Main content hardly found")[2]
