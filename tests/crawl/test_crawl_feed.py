"""A feed is whole: it holds every document that the crawl found, and says what is new of them."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

Crawl = Callable[..., Any]


def article(subject: str, *links: str, shell: str = "") -> bytes:
    anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    text = f"Whoever looks after the {subject} notes in the morning what the {subject} showed over night."
    return (
        f"<html lang='en'><head><title>On {subject}</title><meta name='description' content='{subject}!'>"
        f"</head><body><nav>{anchors}{shell}</nav><main><h1>On {subject}</h1><p>{text}</p></main></body>"
    ).encode()


def serve(site: Any, **pages: bytes) -> None:
    """Pages by name; `start` is the start page."""
    for name, body in pages.items():
        site.answers[f"/{name if name != 'start' else ''}"] = (200, {}, body)


def confirmed(site: Any, body: bytes) -> Callable[[], Any]:
    """A page that its site confirms by a 304."""

    def answer() -> Any:
        is_known = site.headers[-1].get("If-None-Match") == '"1"'
        return (304, {"ETag": '"1"'}, b"") if is_known else (200, {"ETag": '"1"'}, body)

    return answer


def states(run: Any, site: Any) -> dict[str, str]:
    """Path to state; each document stands in the feed once."""
    found = {each["url"].removeprefix(site.url): each["state"] for each in run.documents}
    assert len(found) == len(run.documents)
    return found


def without_state(document: dict[str, Any]) -> dict[str, Any]:
    """The fields that are the same in the feeds of two crawls; validators are those of the last answer."""
    return {name: value for name, value in document.items() if name not in {"state", "fetched_at"}}


def test_the_second_feed_holds_all_documents_whichever_way_they_came(site: Any, crawl: Crawl) -> None:
    pages = ("same", "confirmed", "shell", "edited", "copy")
    serve(site, start=article("houses", *pages), same=article("pumps"), copy=article("pumps"))
    serve(site, shell=article("vents", shell="monday"), edited=article("lamps"))
    site.answers["/confirmed"] = confirmed(site, article("racks"))
    first = crawl(domains=site.url, CONCURRENT_REQUESTS=1)
    assert set(states(first, site)) == {"/", "/same", "/confirmed", "/shell", "/edited"}
    assert set(states(first, site).values()) == {"new"}

    serve(site, start=article("houses", *pages, "added"), added=article("sensors"))
    serve(site, shell=article("vents", shell="tuesday"), edited=article("lanterns"))
    second = crawl(domains=site.url, CONCURRENT_REQUESTS=1)
    assert states(second, site) == {
        "/": "unchanged",  # another shell around the same text
        "/same": "unchanged",  # the same bytes; its copy stands for nothing by itself
        "/confirmed": "unchanged",  # not even sent
        "/shell": "unchanged",
        "/edited": "changed",
        "/added": "new",
    }
    assert second.skipped == {"unchanged": 2, "duplicate_content": 1}
    counts = second.report["documents"]
    assert (counts["new"], counts["changed"], counts["unchanged"] + counts["same_text"]) == (1, 1, 4)
    before = {each["url"]: each for each in first.documents}
    for each in second.documents:
        if each["url"].endswith(("/same", "/confirmed")):
            known = without_state(before[each["url"]])
            # The alias was entered when the first crawl ended, behind its feed.
            known["chunks"] = [
                chunk | {"aliases": found["aliases"]}
                for chunk, found in zip(known["chunks"], each["chunks"], strict=True)
            ]
            assert without_state(each) == known
            assert each["metadata"]["description"].endswith("!")

    third = crawl(domains=site.url, CONCURRENT_REQUESTS=1, dry_run="1")
    assert set(states(third, site)) == set(states(second, site))
    assert set(states(third, site).values()) == {"unchanged"}


def test_a_feed_of_changes_leaves_out_what_is_as_it_was(site: Any, crawl: Crawl) -> None:
    serve(site, start=article("houses", "shell", "edited"), edited=article("lamps"))
    serve(site, shell=article("vents", shell="monday"))
    crawl(domains=site.url, FEED_DOCUMENTS="changes")
    serve(site, shell=article("vents", shell="tuesday"), edited=article("lanterns"))
    run = crawl(domains=site.url, FEED_DOCUMENTS="changes")
    assert states(run, site) == {"/edited": "changed"}
    assert run.skipped == {"unchanged": 1}


def test_a_text_that_moved_stands_in_the_feed_under_the_address_it_is_stored_by(
    site: Any, crawl: Crawl
) -> None:
    serve(site, start=article("houses", "guide"), guide=article("pumps"))
    crawl(domains=site.url)
    del site.answers["/guide"]
    serve(site, start=article("houses", "handbook"), handbook=article("pumps"))
    moved = crawl(domains=site.url)
    assert states(moved, site) == {"/": "unchanged", "/guide": "unchanged"}
    (guide,) = [each for each in moved.documents if each["url"].endswith("/guide")]
    assert {tuple(chunk["aliases"]) for chunk in guide["chunks"]} == {(f"{site.url}/handbook",)}
    assert moved.report["disagreements"] == []
    settled = crawl(domains=site.url, DELETE_BRAKE=100)
    assert states(settled, site) == {"/": "unchanged", "/handbook": "new"}


def test_pages_whose_text_an_older_catalogue_lacks_are_read_once_more(site: Any, crawl: Crawl) -> None:
    serve(site, start=article("houses"))
    first = crawl(domains=site.url)
    with closing(sqlite3.connect(first.output / "catalogue" / "ragcrawler.sqlite")) as database, database:
        database.execute("DELETE FROM markdown")
    again = crawl(domains=site.url)
    assert again.report["documents"]["same_text"] == 1
    assert states(again, site) == {"/": "unchanged"}
    assert crawl(domains=site.url).skipped == {"unchanged": 1}
