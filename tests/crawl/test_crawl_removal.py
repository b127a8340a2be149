"""Pages and sites that somebody takes out: nothing is left of them, and no spider brings them back."""

import json
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from scrapy import Spider

from ragcrawler.bootstrap.catalogue_place import catalogue_place
from ragcrawler.bootstrap.start_error import StartError
from ragcrawler.catalogue import DocumentCatalogue, SqliteCatalogue
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.frontier import Frontier, FrontierOptions
from ragcrawler.frontier.filters.kept_out import page_entry
from ragcrawler.frontier.scope import Scope
from ragcrawler.maintenance.verification import IndexScan
from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor
from ragcrawler.run.execution.store_retry import StoreRetry
from ragcrawler.run.indexing.collection import Collection
from ragcrawler.run.indexing.synchronise import DocumentWrite
from ragcrawler.run.removal import RemovalRequest, Removed, allow, finish_removals, kept_out, remove
from ragcrawler.run.saved_crawls.saved_crawl import CrawlIdentity, SavedCrawl
from ragcrawler.stores import StoreConfig, open_store
from tests.catalogue.records import record
from tests.crawl.removal_that_dies import STEPS
from tests.crawl.test_crawl_resume import fill, killed
from tests.stores.conftest import MODELS, QdrantRestDouble
from tests.warm_python import Python

MARKER = b"zebramark"
SECRET = "The zebramark is a thing of which nobody shall read here, and so the page says it at length. " * 3
FEEDS = "documents.jsonl"


@pytest.fixture
def garden(site: Any) -> Any:
    """A start page that leads to three others; one of these tells a secret, and alone leads to a fourth."""
    site.page("/", "/a", "/secret", "/c", ETag='"1"')
    site.page("/a", ETag='"1"')
    site.page("/secret", "/behind", text=SECRET, ETag='"1"')
    site.page("/c", ETag='"1"')
    site.page("/behind", ETag='"1"')
    return site


@pytest.fixture
def qdrant() -> Iterator[QdrantRestDouble]:
    double = QdrantRestDouble()
    threading.Thread(target=double.serve_forever, args=(0.01,), daemon=True).start()
    yield double
    double.shutdown()
    double.server_close()
    double.engine.close()


@pytest.fixture
def take_out(settings: dict[str, Any]) -> Callable[..., Removed]:
    def call(*targets: str, is_dry: bool = False, **options: Any) -> Removed:
        return remove(settings, RemovalRequest(targets, **options), is_dry=is_dry)

    return call


def with_catalogue(settings: dict[str, Any], ask: Callable[[DocumentCatalogue], Any]) -> Any:
    with catalogue_place(Configuration.from_settings(settings)).open() as catalogue:
        return ask(catalogue)


def urls(settings: dict[str, Any], site: Any) -> list[str]:
    found = with_catalogue(settings, lambda catalogue: [url for _, url in catalogue.urls()])
    return sorted(url.removeprefix(site.url) for url in found)


def faults(settings: dict[str, Any]) -> list[Any]:
    """What `scrapy verify` would name."""
    configuration = Configuration.from_settings(settings)
    with open_store(configuration.store) as store, catalogue_place(configuration).open() as catalogue:
        models = store.models()
        assert models is not None
        assert store.count() == sum(len(each.chunks) for each in catalogue.documents())
        return list(IndexScan(store, catalogue, models).faulty_documents())


def files_with(output: Path, *needles: bytes) -> set[str]:
    return {
        path.name
        for path in output.rglob("*")
        if path.is_file() and any(needle in path.read_bytes() for needle in needles)
    }


def stored_blobs(output: Path, document_id: str) -> list[bytes]:
    """The texts of a document as its catalogue keeps them, compressed."""
    with closing(sqlite3.connect(output / "catalogue" / "ragcrawler.sqlite")) as database:
        return [
            row[0]
            for query in ("SELECT records FROM texts", "SELECT record FROM markdown")
            for row in database.execute(f"{query} WHERE document_id = ?", [document_id])
        ]


def test_no_byte_of_a_removed_page_is_left_but_in_feeds(
    garden: Any, crawl: Callable[..., Any], take_out: Callable[..., Removed], settings: dict[str, Any]
) -> None:
    """Deleted rows stay in SQLite files, and deleted points in the engine's segments and in its log."""
    crawled = crawl(domains=garden.url)
    page = next(each for each in crawled.documents if each["url"].endswith("/secret"))
    blobs = stored_blobs(crawled.output, page["id"])
    pictures = crawled.output / "images" / page["id"]
    pictures.mkdir(parents=True)
    (pictures / "zebramark.png").write_bytes(MARKER)
    assert len(blobs) == 2
    looked_at = take_out(f"{garden.url}/secret", is_dry=True)
    assert {FEEDS, "responses.sqlite", "page_0.dat"} <= files_with(crawled.output, MARKER, *blobs)
    removed = take_out(f"{garden.url}/secret")
    assert removed.counts == looked_at.counts == {
        "vectors in the cache": 2,
        "pictures": 1,
        "chunks": 1,
        "documents": 1,
        "cached responses": 1,
    }  # fmt: skip
    assert removed.urls == looked_at.urls == (f"{garden.url}/secret",)
    assert files_with(crawled.output, MARKER, *blobs) == {FEEDS}
    assert not pictures.exists()
    assert faults(settings) == []
    again = take_out(f"{garden.url}/secret")
    assert again.counts == {}
    assert list(again.elsewhere.values()) == [1]


@pytest.mark.parametrize("target", ["{site}/secret", "{host}"])
def test_feeds_of_earlier_runs_are_named_and_lose_a_page_where_that_is_asked_for(
    garden: Any, crawl: Callable[..., Any], take_out: Callable[..., Removed], target: str
) -> None:
    first, second = crawl(domains=garden.url), crawl(domains=garden.url)
    ran = min((first.output / "runs").iterdir())
    killed = ran.rename(ran.with_name("20260101T000000Z-seeds-4194305"))  # more than an id of a process
    (killed / "report.json").unlink()
    feed = killed / FEEDS
    cut = f'{{"id": "1", "url": "{garden.url}/secret", "title": "zebramark'
    feed.write_bytes(feed.read_bytes() + cut.encode())
    named = target.format(site=garden.url, host=garden.url.removeprefix("http://"))
    goes, stays = (1, 4) if named.endswith("/secret") else (5, 0)
    looked = take_out(named)
    lines = {f"lines of {path.relative_to(first.output)}": goes for path in sorted(first.output.rglob(FEEDS))}
    assert looked.elsewhere == lines | {f"lines of {feed.relative_to(first.output)}": goes + 1}
    assert {FEEDS} == files_with(first.output, MARKER)
    removed = take_out(named, everywhere=True)
    assert removed.counts == looked.elsewhere
    assert removed.elsewhere == {}
    assert files_with(first.output, MARKER) == set()
    assert [len(path.read_text().splitlines()) for path in first.output.rglob(FEEDS)] == [stays, stays]
    assert take_out(named, everywhere=True).counts == {}
    assert second.report["pages"]["fetched"] == 0


def test_the_feed_of_a_run_that_goes_on_is_left_alone(
    garden: Any, crawl: Callable[..., Any], take_out: Callable[..., Removed]
) -> None:
    (run,) = (crawl(domains=garden.url).output / "runs").iterdir()
    (run / "report.json").unlink()  # it has the id of this process, which lives
    removed = take_out(f"{garden.url}/secret", everywhere=True)
    assert removed.left == (f"lines of {run / FEEDS}: the run goes on",)
    assert MARKER in (run / FEEDS).read_bytes()


def test_a_page_that_is_kept_out_stays_out_while_it_is_online(
    garden: Any, crawl: Callable[..., Any], take_out: Callable[..., Removed], settings: dict[str, Any]
) -> None:
    crawl(domains=garden.url)
    take_out(f"{garden.url}/secret", keeps_out=True)
    garden.requests.clear()
    again = crawl(domains=garden.url)
    assert "/secret" not in garden.requests
    assert again.skipped == {"kept_out": 1, "unchanged": 3}
    told = {each["url"]: each["state"] for each in again.documents}
    assert told[f"{garden.url}/secret"] == "removed"
    assert again.report["documents"]["removed"] == 1
    assert again.report["deletions"][0]["due"][0]["reason"] == "taken_out"
    third = crawl(domains=garden.url)
    assert [each for each in third.documents if each["state"] == "removed"] == []
    assert third.report["documents"]["removed"] == 0
    assert faults(settings) == []


def test_what_is_not_kept_out_comes_back_and_is_not_told_as_removed(
    garden: Any, crawl: Callable[..., Any], take_out: Callable[..., Removed]
) -> None:
    crawl(domains=garden.url)
    take_out(f"{garden.url}/secret")
    again = crawl(domains=garden.url)
    states = {each["url"].removeprefix(garden.url): each["state"] for each in again.documents}
    assert states == {
        "/": "unchanged",
        "/a": "unchanged",
        "/c": "unchanged",
        "/behind": "unchanged",
        "/secret": "new",
    }


def test_what_only_a_kept_out_page_leads_to_is_not_taken_for_gone(
    garden: Any, crawl: Callable[..., Any], take_out: Callable[..., Removed], settings: dict[str, Any]
) -> None:
    crawl(domains=garden.url)
    take_out(f"{garden.url}/secret", keeps_out=True)
    for _ in range(3):
        crawl(domains=garden.url, GONE_AFTER=1, DELETE_BRAKE=100)
    assert "/behind" in urls(settings, garden)
    garden.page("/", "/a", "/c", "/behind")
    crawl(domains=garden.url, GONE_AFTER=1, DELETE_BRAKE=100)
    garden.page("/", "/a", "/c")
    crawl(domains=garden.url, GONE_AFTER=1, DELETE_BRAKE=100)
    assert urls(settings, garden) == ["/", "/a", "/c"]  # seen since, and then no longer linked to


def test_the_text_of_a_page_is_kept_out_at_each_of_its_addresses(
    site: Any,
    other_site: Any,
    crawl: Callable[..., Any],
    take_out: Callable[..., Removed],
    settings: dict[str, Any],
) -> None:
    site.page("/", "/first", "/copy")
    site.page("/first", text=SECRET)
    site.answers["/copy"] = site.answers["/first"]
    crawl(domains=site.url, CONCURRENT_REQUESTS=1)
    assert urls(settings, site) == ["/", "/first"]
    removed = take_out(f"{site.url}/copy", keeps_out=True)
    assert removed.urls == (f"{site.url}/first",)
    assert {each.pattern for each in kept_out(settings)} == {f"{site.url}/first", f"{site.url}/copy"}
    site.page("/", "/first", "/copy", "/later")
    site.answers["/later"] = site.answers["/first"]
    again = crawl(domains=site.url)
    assert again.skipped == {"kept_out": 3}
    assert urls(settings, site) == ["/"]
    allow(settings, [f"{site.url}/copy"])
    crawl(domains=site.url)
    assert urls(settings, site)[0] == "/"
    assert urls(settings, site)[1] in {"/copy", "/later"}


def test_a_site_goes_with_its_pages_and_as_an_alias_of_others(
    site: Any,
    other_site: Any,
    crawl: Callable[..., Any],
    take_out: Callable[..., Removed],
    settings: dict[str, Any],
) -> None:
    site.page("/", "/shared", f"{other_site.url}/")
    site.page("/shared", text=SECRET)
    other_site.page("/", "/shared", "/own", text="The other site has a start page of its own, which says so.")
    other_site.answers["/shared"] = site.answers["/shared"]
    other_site.page("/own")
    domains = f"{site.url},{other_site.url}"
    crawl(domains=site.url)  # so that its text is the one that is stored
    crawl(domains=domains)
    host = other_site.url.removeprefix("http://")
    removed = take_out(host, keeps_out=True)
    assert removed.counts["documents"] == 2
    assert removed.counts["other addresses of documents that stay"] == 1
    stored = with_catalogue(settings, lambda catalogue: list(catalogue.documents()))
    assert {(each.url.removeprefix(site.url), each.aliases) for each in stored} == {
        ("/", ()),
        ("/shared", ()),
    }
    with open_store(Configuration.from_settings(settings).store) as store:
        assert [chunk.aliases for chunk in store.scroll() if chunk.source_url.endswith("/shared")] == [()]
    assert faults(settings) == []
    other_site.requests.clear()
    again = crawl(domains=domains)
    assert set(other_site.requests) <= {"/robots.txt", "/sitemap.xml", "/sitemap_index.xml", "/llms.txt"}
    assert again.skipped["kept_out"] == 1
    assert {each["url"] for each in again.documents if each["state"] == "removed"} == {
        f"{other_site.url}/",
        f"{other_site.url}/own",
    }


def test_redirects_and_canonical_addresses_lead_to_nothing_that_is_kept_out(
    site: Any, crawl: Callable[..., Any], take_out: Callable[..., Removed], settings: dict[str, Any]
) -> None:
    site.page("/", "/moved", "/printed")
    site.answers["/moved"] = (301, {"Location": "/secret"}, b"")
    site.page("/secret", text=SECRET)
    site.page(
        "/printed", text="Another wording of what the page says, which names that one as its own address."
    )
    status, headers, body = site.answers["/printed"]
    site.answers["/printed"] = (
        status,
        headers,
        body.replace(b"<head>", b'<head><link rel="canonical" href="/secret">'),
    )
    take_out(f"{site.url}/secret", keeps_out=True)
    run = crawl(domains=site.url)
    assert "/secret" not in site.requests
    assert run.skipped == {"kept_out": 2}
    assert urls(settings, site) == ["/"]


def test_a_crawl_that_starts_at_what_is_kept_out_says_so(
    garden: Any, crawl: Callable[..., Any], take_out: Callable[..., Removed], caplog: pytest.LogCaptureFixture
) -> None:
    take_out(garden.url.removeprefix("http://"), keeps_out=True)
    run = crawl(domains=garden.url)
    assert (run.report["exit_code"], run.skipped) == (3, {"kept_out": 1})
    assert f"{garden.url}/ is kept out of the collection" in caplog.text
    dry = crawl(domains=garden.url, dry_run="1")
    assert (dry.report["documents"]["new"], dry.skipped) == (0, {"kept_out": 1})
    assert garden.requests == []


class Foreign(Spider):
    """A spider of another project, which knows nothing of ours."""

    name = "foreign"
    pages: tuple[tuple[str, str], ...] = ()

    async def start(self) -> Any:
        for url, text in self.pages:
            yield {"url": url, "markdown": text}


def test_no_spider_brings_what_is_kept_out(
    crawl_with: Callable[..., Any],
    take_out: Callable[..., Removed],
    settings: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("open.md", "secret.md"):
        (folder / name).write_text(
            f"# {name}\n\n{SECRET if name == 'secret.md' else 'Nothing to hide. ' * 9}\n"
        )
    export = tmp_path / "export.json"
    records = [
        {
            "markdown": f"# {name}\n\nWhat {name} says, at length.",
            "metadata": {"sourceURL": f"https://a.org/{name}"},
        }
        for name in ("open", "secret")
    ]
    export.write_text(json.dumps({"data": records}))
    crawl_with("files", path=str(folder))
    take_out("secret.md", "https://a.org/secret", "b.org", keeps_out=True)
    files = crawl_with("files", path=str(folder))
    assert files.skipped == {"kept_out": 1, "unchanged": 1}
    assert crawl_with("firecrawl", path=str(export)).skipped == {"kept_out": 1}
    Foreign.pages = (
        ("https://www.b.org/x", "# X\n\nOf a site that is kept out."),
        ("https://c.org/mirror", f"# secret.md\n\n{SECRET}\n"),
        ("https://c.org/other", "# Other\n\nOf nobody who minds."),
    )
    foreign = crawl_with(Foreign)
    assert foreign.skipped == {"kept_out": 2}
    stored = with_catalogue(settings, lambda catalogue: sorted(url for _, url in catalogue.urls()))
    assert stored == ["https://a.org/open", "https://c.org/other", "open.md"]


def test_a_crawl_that_was_broken_off_asks_no_more_for_what_was_taken_out(
    python: Python,
    site: Any,
    crawl: Callable[..., Any],
    take_out: Callable[..., Removed],
    settings: dict[str, Any],
) -> None:
    """Of a start page and 24 others with one below each, some are stored, and most still wait."""
    fill(site)
    killed(python, site, Path(settings["OUTPUT_DIR"]), settings, after_requests=20)
    stored = next(url for url in urls(settings, site) if url != "/")
    waiting = next(
        path for path in (f"/{number}" for number in range(23, 0, -1)) if path not in site.requests
    )
    in_hand = site.requests[-1]
    removed = take_out(*(f"{site.url}{path}" for path in (stored, waiting, in_hand)))
    assert removed.counts["documents"] == 1
    # The stored page as well, where the crawl was killed before it was entered as done.
    waited = removed.counts["URLs that saved crawls wait for"]
    assert waited in (2, 3)
    site.requests.clear()
    run = crawl(domains=site.url)
    assert not {waiting, in_hand} & set(site.requests)
    assert run.skipped == {"kept_out": waited}
    states = {each["url"].removeprefix(site.url): each["state"] for each in run.documents}
    assert states[stored] == "removed"
    assert not {waiting, in_hand} & states.keys()
    assert run.report["disagreements"] == []
    assert faults(settings) == []


def test_a_saved_crawl_on_which_a_process_works_is_named_and_left_to_it(
    site: Any, take_out: Callable[..., Removed], settings: dict[str, Any]
) -> None:
    configuration = Configuration.from_settings(settings)
    identity = CrawlIdentity("seeds", {"domains": site.url}, configuration.collection_place)
    saved = SavedCrawl.open(configuration.output_folder, identity, resumes=True)
    options = FrontierOptions(Scope.parse(site.url))
    Frontier(options, saved.state).add_seeds([f"{site.url}/secret"])
    at_work = take_out(f"{site.url}/secret", keeps_out=True)
    assert at_work.counts == {}
    (left,) = at_work.left
    assert left.startswith(f"URLs that saved crawls wait for ({identity.name}: this crawl is running already")
    saved.end(is_over=False)
    assert take_out(f"{site.url}/secret").counts == {"URLs that saved crawls wait for": 1}
    assert take_out(f"{site.url}/secret").counts == {}


def test_with_a_qdrant_server_and_postgresql_a_page_goes_and_stays_out(
    garden: Any,
    crawl: Callable[..., Any],
    settings: dict[str, Any],
    postgres_address: PostgresAddress,
    qdrant: QdrantRestDouble,
) -> None:
    services = {"QDRANT_URL": qdrant.url, "POSTGRES_DSN": postgres_address.dsn}
    settings |= services
    crawl(domains=garden.url)
    removed = remove(settings, RemovalRequest((f"{garden.url}/secret",), keeps_out=True))
    assert removed.counts == {"vectors in the cache": 2, "chunks": 1, "documents": 1, "cached responses": 1}
    assert faults(settings) == []
    again = crawl(domains=garden.url)
    assert again.skipped == {"kept_out": 1, "unchanged": 3}
    assert [each["url"] for each in again.documents if each["state"] == "removed"] == [f"{garden.url}/secret"]
    assert allow(settings, [f"{garden.url}/secret"]) == 1
    assert kept_out(settings) == []


async def test_what_is_kept_out_while_a_crawl_reads_it_is_not_written() -> None:
    """The list is looked at once more at the last moment, for each batch."""
    work, thread = DocumentWrite(record(1), ()), SingleThreadExecutor("store")
    with open_store(StoreConfig(kind="memory")) as store:
        store.create(MODELS)
        catalogue = await thread.do(lambda: SqliteCatalogue(None))
        collection = Collection(store, catalogue, thread, retry=StoreRetry(0, lambda: True))
        await collection.with_catalogue(lambda own: own.keep_out([page_entry(work.record.url)]))
        assert (await collection.write(work)).is_kept_out
        assert await collection.with_catalogue(lambda own: own.get("d0001")) is None
        await collection.with_catalogue(lambda own: own.allow([work.record.url]))
        assert not (await collection.write(work)).is_kept_out
        await collection.close(optimize=False)
    thread.close()


def test_what_cannot_be_meant_is_refused_and_changes_nothing(
    garden: Any, crawl: Callable[..., Any], take_out: Callable[..., Removed], settings: dict[str, Any]
) -> None:
    with pytest.raises(StartError, match="there is no catalogue"):
        take_out("a.org")
    crawl(domains=garden.url)
    for target, complaint in (
        ("no domain", "neither the URL of a page"),
        ("ftp://a.org/x", "no http or https URL"),
        ("https://user:word@a.org/", "has credentials in it"),
    ):
        with pytest.raises(StartError, match=complaint):
            take_out(target, keeps_out=True)
    with pytest.raises(StartError, match="there is no document 'unknown'"):
        remove(settings, RemovalRequest(document_ids=("unknown",)))
    with pytest.raises(StartError, match="has no entry on the list"):
        allow(settings, ["a.org"])
    assert kept_out(settings) == []
    assert take_out("a.org").counts == {}
    assert finish_removals(settings).counts == {}


@pytest.fixture(params=["files", "services"])
def places(request: pytest.FixtureRequest, settings: dict[str, Any]) -> str:
    """Where collection and catalogue are: in files, or on servers."""
    if request.param == "services":
        settings["QDRANT_URL"] = request.getfixturevalue("qdrant").url
        settings["POSTGRES_DSN"] = request.getfixturevalue("postgres_address").dsn
    return str(request.param)


# Of servers those alone that are answered by them.
STEPS_OF_SERVERS = ("begin_removal", "delete", "chunks", "documents", "end_removal")


def test_a_removal_that_is_killed_behind_any_step_is_finished_by_the_next(
    places: str, site: Any, crawl: Callable[..., Any], settings: dict[str, Any], python: Python
) -> None:
    site.page("/", "/secret")
    target, output = f"{site.url}/secret", Path(settings["OUTPUT_DIR"])
    usual = project_settings()
    changed = {name: value for name, value in settings.items() if value != usual.get(name)}
    for step in STEPS if places == "files" else STEPS_OF_SERVERS:
        allow(settings, [each.pattern for each in kept_out(settings)])
        site.page("/secret", text=SECRET, ETag='"1"')
        page = next(each for each in crawl(domains=site.url).documents if each["url"] == target)
        (output / "images" / page["id"]).mkdir(parents=True)
        given = (json.dumps(changed), target, step)
        _, said = (died := python("-m", "tests.crawl.removal_that_dies", *given)).communicate(60)
        assert died.returncode == -signal.SIGKILL, f"{step}: {said}"
        finish_removals(settings)
        assert faults(settings) == [], step
        assert urls(settings, site) == ["/"], step
        assert {each.pattern for each in kept_out(settings)} == {target}
        assert with_catalogue(settings, lambda catalogue: catalogue.open_removals()) == {}
        assert files_with(output, MARKER) == set(), step
        assert not list((output / "images").iterdir()), step
