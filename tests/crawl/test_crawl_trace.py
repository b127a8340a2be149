"""With TRACE_URLS each URL that was seen has its line, with fate, reason and where it was found."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

Crawl = Callable[..., Any]


def trace(run: Any) -> list[dict[str, Any]]:
    (path,) = run.output.glob("runs/*/urls.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_url_has_one_line_and_the_lines_add_up_to_the_report(site: Any, crawl: Crawl) -> None:
    site.page("/", "/a", "/old", "/gone", "/contact", "http://b.example/")
    site.page("/a", "/", "/twin", "/broken")
    site.page("/twin")
    site.page("/broken", status=500)
    site.answers["/twin"] = site.answers["/a"]
    site.answers["/old"] = (301, {"Location": "/new"}, b"")
    site.page("/new")
    run = crawl(domains=site.url, TRACE_URLS=1)
    lines = trace(run)
    assert len({line["url"] for line in lines}) == len(lines) == run.report["pages"]["seen"]
    counts = Counter((line["fate"], line["reason"]) for line in lines)
    pages = run.report["pages"]
    assert counts == {
        ("fetched", ""): pages["fetched"],
        **{("skipped", reason): number for reason, number in pages["skipped"].items()},
        **{("failed", reason): number for reason, number in pages["failed"].items()},
    }


def test_a_line_says_where_a_url_was_found_and_what_answered(site: Any, crawl: Crawl) -> None:
    site.page("/", "/a")
    site.page("/a", "/old", "/contact")
    site.answers["/old"] = (301, {"Location": "/new"}, b"")
    site.page("/new")
    run = crawl(domains=site.url, TRACE_URLS=1, SITEMAPS="off")
    lines = {line["url"].removeprefix(site.url): line for line in trace(run)}
    a, new = f"{site.url}/a", f"{site.url}/new"

    def line(path: str, fate: str, reason: str, parent: str, depth: int, final: str = "") -> dict[str, Any]:
        url = site.url + path
        return {
            "url": url,
            "fate": fate,
            "reason": reason,
            "parent_url": parent,
            "depth": depth,
            "final_url": final or url,
        }

    assert lines == {
        "/": line("/", "fetched", "", "", 0),
        "/a": line("/a", "fetched", "", f"{site.url}/", 1),
        "/contact": line("/contact", "skipped", "junk", a, 2),
        "/old": line("/old", "skipped", "redirected", a, 2, new),
        "/new": line("/new", "fetched", "", a, 2),
    }


def test_what_is_never_asked_for_stands_there_with_the_reason_of_the_end(site: Any, crawl: Crawl) -> None:
    site.page("/", *(f"/{number}" for number in range(20)))
    for number in range(20):
        site.page(f"/{number}")
    run = crawl(domains=site.url, TRACE_URLS=1, max_pages="2")
    reasons = Counter(line["reason"] for line in trace(run))
    assert reasons == {"": 2, "max_pages": 19}


def test_without_it_there_is_no_such_file(site: Any, crawl: Crawl) -> None:
    site.page("/")
    run = crawl(domains=site.url)
    assert list(run.output.glob("runs/*/urls.jsonl")) == []


def test_a_url_that_was_first_passed_over_has_one_line_too(site: Any, crawl: Crawl) -> None:
    site.page("/", "/a", text='<a href="/later" rel="nofollow">l</a><a href="/never" rel="nofollow">n</a>')
    site.page("/a", "/later")
    site.page("/later")
    run = crawl(domains=site.url, TRACE_URLS=1, SITEMAPS="off")
    places = {
        line["url"].removeprefix(site.url): (line["fate"], line["reason"], line["parent_url"], line["depth"])
        for line in trace(run)
    }
    assert places["/later"] == ("fetched", "", f"{site.url}/a", 2)
    assert places["/never"] == ("skipped", "nofollow", f"{site.url}/", 1)
    assert len(trace(run)) == len(places) == run.report["pages"]["seen"]
