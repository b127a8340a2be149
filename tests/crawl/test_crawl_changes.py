"""A site that changes between two crawls: only what changed is embedded, written and deleted."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.catalogue import SqliteCatalogue
from ragcrawler.items import SemanticChunk
from ragcrawler.maintenance.verification import IndexScan, repair
from ragcrawler.stores import StoreConfig, open_store

Crawl = Callable[..., Any]
SUBJECTS = ("pumps", "filters", "valves", "seedlings", "sensors", "vents", "lamps", "racks")


def paragraph(subject: str, word: str = "early") -> str:
    """Some forty words about one thing."""
    return (
        f"Whoever looks after the {subject} begins {word} in the morning, notes what the {subject} showed "
        f"over night, compares it with the day before, and changes one thing at a time, so that it stays "
        f"clear which of the changes the {subject} answered to."
    )


def article(*sections: str, shell: str = "", links: tuple[str, ...] = ()) -> bytes:
    """A page with a heading for every section, in a shell that may change without the text."""
    anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    body = "".join(f"<h2>{text.split()[4]}</h2><p>{text}</p>" for text in sections)
    return (
        f"<html><head><title>Guide</title><meta name='nonce' content='{shell}'></head>"
        f"<body><nav>{anchors}{shell}</nav><main><h1>Guide</h1>{body}</main></body></html>"
    ).encode()


def serve(site: Any, path: str, body: bytes) -> None:
    site.answers[path] = (200, {}, body)


@pytest.fixture
def settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Small chunks, one a section, and no cache: what is embedded is counted."""
    sizes = {"CHUNK_TARGET_TOKENS": 60, "CHUNK_MAX_TOKENS": 90, "CHUNK_MIN_TOKENS": 10}
    return settings | sizes | {"EMBEDDING_CACHE_MEBIBYTES": 0}


@pytest.fixture
def whole(settings: dict[str, Any]) -> Callable[[], list[SemanticChunk]]:
    """All points, after a walk that found no fault."""

    def look() -> list[SemanticChunk]:
        output = Path(settings["OUTPUT_DIR"])
        with (
            open_store(StoreConfig(folder=output / "qdrant", collection="ragcrawler")) as store,
            SqliteCatalogue(output / "catalogue" / "ragcrawler.sqlite") as catalogue,
        ):
            models = store.models()
            assert models is not None
            assert [each.faults for each in IndexScan(store, catalogue, models).faulty_documents()] == []
            return sorted(store.scroll(), key=lambda chunk: (chunk.source_url, chunk.position))

    return look


def guide(site: Any, *sections: str, shell: str = "") -> None:
    serve(site, "/", article(paragraph("houses"), shell=shell, links=("/guide",)))
    serve(site, "/guide", article(*sections, shell=shell))


def work(run: Any) -> tuple[int, int, int, int]:
    """Chunks embedded, new, updated, removed."""
    chunks = run.report["chunks"]
    return chunks["embedded"], chunks["new"], chunks["updated"], chunks["removed"]


def test_a_crawl_right_after_another_does_nothing_at_all(site: Any, crawl: Crawl, whole: Any) -> None:
    guide(site, *map(paragraph, SUBJECTS))
    first = crawl(domains=site.url)
    assert first.report["documents"]["new"] == 2
    before = whole()
    second = crawl(domains=site.url)
    assert work(second) == (0, 0, 0, 0)
    assert second.skipped == {"unchanged": 2}
    assert second.report["chunks"]["made"] == 0
    assert second.report["chunks"]["untouched"] == first.report["chunks"]["points"] == len(before)
    assert second.report["exit_code"] == 0
    assert whole() == before


def test_another_shell_around_the_same_text_writes_nothing(site: Any, crawl: Crawl, whole: Any) -> None:
    guide(site, *map(paragraph, SUBJECTS), shell="monday")
    crawl(domains=site.url)
    before = whole()
    guide(site, *map(paragraph, SUBJECTS), shell="tuesday")
    run = crawl(domains=site.url)
    assert work(run) == (0, 0, 0, 0)
    assert run.report["documents"]["same_text"] == 2
    assert run.report["chunks"]["unchanged"] == len(before)
    assert whole() == before


def test_one_paragraph_that_changed_is_one_chunk_embedded(site: Any, crawl: Crawl, whole: Any) -> None:
    sections = [paragraph(subject) for subject in SUBJECTS]
    guide(site, *sections)
    crawl(domains=site.url)
    before = {chunk.id: chunk for chunk in whole()}
    guide(site, *sections[:3], paragraph("seedlings", "late"), *sections[4:])
    run = crawl(domains=site.url)
    embedded, new, updated, removed = work(run)
    assert (embedded, new, removed) == (1, 1, 1)
    after = whole()
    assert len([chunk for chunk in after if chunk.id not in before]) == 1
    assert not any("seedlings begins early" in chunk.content for chunk in after)
    assert updated >= 2  # its neighbours know their new neighbour
    assert run.report["documents"]["changed"] == 1
    assert run.skipped == {"unchanged": 1}


def test_sections_that_change_places_are_rewritten_without_a_vector(
    site: Any, crawl: Crawl, whole: Any
) -> None:
    sections = [paragraph(subject) for subject in SUBJECTS]
    guide(site, *sections)
    crawl(domains=site.url)
    ids = {chunk.id for chunk in whole()}
    guide(site, *sections[:3], sections[4], sections[3], *sections[5:])
    run = crawl(domains=site.url)
    embedded, new, updated, removed = work(run)
    assert (embedded, new, removed) == (0, 0, 0)
    assert updated >= 2
    after = whole()
    assert {chunk.id for chunk in after} == ids
    guide_sections = [chunk.section_path[-1] for chunk in after if "/guide" in chunk.source_url]
    assert guide_sections[2:6] == ["valves", "sensors", "seedlings", "vents"]


def test_a_page_that_got_shorter_leaves_no_chunk_behind(site: Any, crawl: Crawl, whole: Any) -> None:
    guide(site, *map(paragraph, SUBJECTS))
    crawl(domains=site.url)
    guide(site, *map(paragraph, SUBJECTS[:3]))
    run = crawl(domains=site.url)
    assert run.report["chunks"]["embedded"] == 0
    assert run.report["chunks"]["removed"] == 5
    assert not any("vents" in chunk.content for chunk in whole())


def test_a_renamed_page_is_not_embedded_again(site: Any, crawl: Crawl, whole: Any, tmp_path: Path) -> None:
    cached = {"EMBEDDING_CACHE_MEBIBYTES": 16, "EMBEDDING_CACHE_PATH": str(tmp_path / "cache.sqlite")}
    guide(site, *map(paragraph, SUBJECTS))
    first = crawl(domains=site.url, **cached)
    assert first.report["chunks"]["embedded"] > 8
    del site.answers["/guide"]
    serve(site, "/", article(paragraph("houses"), links=("/handbook",)))
    serve(site, "/handbook", article(*map(paragraph, SUBJECTS)))
    # Until it is sure that the old page is gone its document stands, with the new address beside it.
    moved = crawl(domains=site.url, **cached)
    assert moved.report["chunks"]["embedded"] == 0
    assert {chunk.aliases for chunk in whole() if "/guide" in chunk.source_url} == {(f"{site.url}/handbook",)}
    settled = crawl(domains=site.url, DELETE_BRAKE=100, **cached)
    assert settled.report["chunks"]["embedded"] == 0
    assert settled.report["chunks"]["cached"] == settled.report["chunks"]["new"] == 8
    assert {chunk.source_url for chunk in whole()} == {f"{site.url}/", f"{site.url}/handbook"}


def garden(
    site: Any,
    pages: int,
    *,
    without: tuple[int, ...] = (),
    unlinked: tuple[int, ...] = (),
    hidden: tuple[int, ...] = (),
) -> None:
    """A start page and many others; some of them not there, not linked, or not to be indexed."""
    links = tuple(f"/p{number}" for number in range(pages) if number not in unlinked)
    serve(site, "/", article(paragraph("houses"), links=links))
    for number in range(pages):
        body = article(paragraph(f"bed{number}"))
        site.answers[f"/p{number}"] = (200, {"X-Robots-Tag": "noindex"} if number in hidden else {}, body)
    for number in without:
        del site.answers[f"/p{number}"]


def gone_id(run: Any) -> str:
    """Id of the first document that a run found gone."""
    return next(gone["document_id"] for site in run.report["deletions"] for gone in site["waiting"])


def test_pages_that_two_runs_find_gone_leave_with_all_their_points(
    site: Any, crawl: Crawl, whole: Any
) -> None:
    garden(site, 32)
    crawl(domains=site.url)
    garden(site, 32, without=(3,), unlinked=(4,), hidden=(5,))
    first = crawl(domains=site.url)
    assert first.report["documents"]["waiting"] == 3
    assert first.report["documents"]["removed"] == 0
    assert sum(f"bed{number} " in chunk.content for chunk in whole() for number in (3, 4, 5)) == 3
    pictures = first.output / "images" / gone_id(first)
    pictures.mkdir(parents=True)
    (pictures / "bed.png").write_bytes(b"picture")
    second = crawl(domains=site.url)
    assert not pictures.exists()
    assert second.report["documents"]["removed"] == 3
    assert second.report["chunks"]["removed"] == 3
    (due,) = (site["due"] for site in second.report["deletions"])
    assert {(gone["url"], gone["reason"], gone["runs"]) for gone in due} == {
        (f"{site.url}/p3", "http_404", 2),
        (f"{site.url}/p4", "unlinked", 2),
        (f"{site.url}/p5", "noindex", 2),
    }
    assert second.report["exit_code"] == 0
    assert not any(f"bed{number} " in chunk.content for chunk in whole() for number in (3, 4, 5))


def test_a_page_that_comes_back_in_time_starts_from_nothing(site: Any, crawl: Crawl, whole: Any) -> None:
    garden(site, 12)
    crawl(domains=site.url)
    for _ in range(2):
        garden(site, 12, without=(3,))
        run = crawl(domains=site.url)
        assert run.report["documents"]["waiting"] == 1
        garden(site, 12)
        crawl(domains=site.url)
    assert any("bed3 " in chunk.content for chunk in whole())


def test_too_many_pages_gone_at_once_brake_the_deletion(site: Any, crawl: Crawl, whole: Any) -> None:
    garden(site, 12)
    crawl(domains=site.url)
    before = whole()
    garden(site, 12, without=(3, 7))
    crawl(domains=site.url)
    braked = crawl(domains=site.url)
    assert braked.report["documents"]["spared"] == 2
    assert braked.report["chunks"]["removed"] == 0
    assert braked.report["exit_code"] == 6
    assert whole() == before
    report = (max((braked.output / "runs").iterdir()) / "report.md").read_text(encoding="utf-8")
    assert f"- {site.url}/p3 http_404 in 2 runs, kept by the brake" in report
    forced = crawl(domains=site.url, force_delete="1")
    assert forced.report["documents"]["removed"] == 2
    assert forced.report["exit_code"] == 0
    assert len(whole()) == len(before) - 2


def test_a_crawl_of_a_part_says_nothing_about_the_rest(site: Any, crawl: Crawl) -> None:
    garden(site, 12)
    crawl(domains=site.url)
    part = crawl(urls=f"{site.url}/p4", GONE_AFTER=1, DELETE_BRAKE=100)
    assert part.skipped == {"unchanged": 1}
    assert part.report["deletions"] == []


def test_a_document_that_a_repair_entered_is_found_gone_by_full_crawls_alone(
    site: Any, crawl: Crawl, whole: Any
) -> None:
    garden(site, 12)
    output = crawl(domains=site.url).output
    (output / "catalogue" / "ragcrawler.sqlite").unlink()
    with (
        open_store(StoreConfig(folder=output / "qdrant", collection="ragcrawler")) as store,
        SqliteCatalogue(output / "catalogue" / "ragcrawler.sqlite") as catalogue,
    ):
        models = store.models()
        assert models is not None
        for faulty in IndexScan(store, catalogue, models).faulty_documents():
            assert repair(store, catalogue, faulty, models, lambda chunks: []).left == 0
    garden(site, 12, unlinked=(3,))
    for arguments in ({"urls": f"{site.url}/p4"}, {"domains": site.url, "exclude": "/p3$"}):
        assert crawl(**arguments, GONE_AFTER=1, DELETE_BRAKE=100).report["deletions"] == []
    first = crawl(domains=site.url)
    assert first.report["documents"]["waiting"] == 1
    second = crawl(domains=site.url)
    assert second.report["documents"]["removed"] == 1
    assert not any("bed3 " in chunk.content for chunk in whole())
    assert len(whole()) == 12


@pytest.mark.parametrize("damage", ["gone", "unreadable"])
def test_a_crawl_into_a_collection_that_is_gone_keeps_the_texts_of_what_it_does_not_find(
    site: Any, crawl: Crawl, damage: str
) -> None:
    garden(site, 4)
    output = crawl(domains=site.url).output
    if damage == "gone":
        shutil.rmtree(output / "qdrant" / "ragcrawler")
    else:
        (output / "qdrant" / "ragcrawler" / "shard" / "edge_config.json").write_bytes(bytes(300))
    garden(site, 4, unlinked=(3,))
    assert crawl(domains=site.url).report["chunks"]["new"] == 4
    with (
        open_store(StoreConfig(folder=output / "qdrant", collection="ragcrawler")) as store,
        SqliteCatalogue(output / "catalogue" / "ragcrawler.sqlite") as catalogue,
    ):
        models = store.models()
        assert models is not None
        (lacking,) = IndexScan(store, catalogue, models).faulty_documents()
        assert lacking.record is not None
        assert lacking.record.url == f"{site.url}/p3"
        assert [fault.kind for fault in lacking.reported_faults] == ["unfinished_document"]
        assert "bed3 " in catalogue.chunks(lacking.document_id)[0].content


def test_a_crawl_that_did_not_see_everything_calls_no_page_unlinked(site: Any, crawl: Crawl) -> None:
    garden(site, 12)
    crawl(domains=site.url)
    for bound in ({"max_pages": "5"}, {"max_depth": "0"}, {"CLOSESPIDER_PAGECOUNT": 3}):
        run = crawl(domains=site.url, GONE_AFTER=1, DELETE_BRAKE=100, **bound)
        assert run.report["deletions"] == [], bound


def test_a_page_that_cannot_be_read_may_have_led_to_others(site: Any, crawl: Crawl, whole: Any) -> None:
    garden(site, 12)
    crawl(domains=site.url)
    garden(site, 12, unlinked=(3,))
    site.answers["/p5"] = (500, {}, b"out of order")
    run = crawl(domains=site.url, GONE_AFTER=1)
    assert run.failed == {"http_500": 1}
    assert run.report["deletions"] == []
    assert len(whole()) == 13


def test_another_site_of_the_collection_is_left_alone(site: Any, crawl: Crawl, whole: Any) -> None:
    garden(site, 3)
    crawl(domains=site.url)
    run = crawl(urls="http://127.0.0.1:9/nothing", GONE_AFTER=1, DELETE_BRAKE=100)
    assert run.report["deletions"] == []
    assert len(whole()) == 4


def test_a_dry_run_shows_the_difference_and_writes_nothing(site: Any, crawl: Crawl, whole: Any) -> None:
    garden(site, 12)
    crawl(domains=site.url)
    before = whole()
    garden(site, 14, without=(3,))
    serve(site, "/p4", article(paragraph("bed4"), paragraph("bulbs")))
    run = crawl(domains=site.url, dry_run="1", GONE_AFTER=1)
    documents = run.report["documents"]
    assert (documents["new"], documents["changed"], documents["removed"]) == (2, 1, 1)
    assert run.report["chunks"]["new"] >= 3
    assert run.report["is_dry"] is True
    assert run.report["disagreements"] == []
    assert whole() == before
    assert crawl(domains=site.url, dry_run="1", GONE_AFTER=1).report["documents"] == documents


def test_a_dry_run_of_a_new_site_makes_no_collection(site: Any, crawl: Crawl) -> None:
    garden(site, 2)
    run = crawl(domains=site.url, dry_run="1")
    assert run.report["documents"]["new"] == 3
    assert not (run.output / "qdrant").exists()
    assert not (run.output / "catalogue").exists()


def test_a_retry_fetches_what_the_last_run_lost_and_nothing_else(site: Any, crawl: Crawl, whole: Any) -> None:
    garden(site, 6)
    site.answers["/p1"] = site.answers["/p2"] = (500, {}, b"out of order")
    first = crawl(domains=site.url)
    assert first.failed == {"http_500": 2}
    assert first.failures[0]["attempts"] == 1
    serve(site, "/p1", article(paragraph("bed1"), links=("/p9",)))
    site.requests.clear()
    second = crawl(retry_failed="last")
    assert sorted(path for path in site.requests if path != "/robots.txt") == ["/p1", "/p2"]
    assert second.report["pages"]["fetched"] == 1
    assert [(failure["url"], failure["attempts"]) for failure in second.failures] == [(f"{site.url}/p2", 2)]
    assert second.report["deletions"] == []
    serve(site, "/p2", article(paragraph("bed2")))
    third = crawl(retry_failed=max(path.name for path in (second.output / "runs").iterdir()))
    assert third.report["exit_code"] == 0
    assert third.report["deletions"] == []
    assert len(whole()) == 7
    assert crawl(retry_failed="last").report["exit_code"] == 0


def test_a_changed_page_is_news_in_the_log(site: Any, crawl: Crawl, caplog: Any) -> None:
    guide(site, *map(paragraph, SUBJECTS[:4]))
    with caplog.at_level("INFO", logger="ragcrawler.pipelines.upsert"):
        crawl(domains=site.url)
        assert not any("chunks new" in line for line in caplog.messages)
        guide(site, *map(paragraph, SUBJECTS[:5]))
        crawl(domains=site.url)
    (line,) = (line for line in caplog.messages if "chunks new" in line)
    assert line.startswith(f"{site.url}/guide: chunks new 1, updated ")


def test_the_store_is_asked_before_a_page_passes_for_unchanged(
    site: Any, crawl: Crawl, whole: Any, settings: dict[str, Any]
) -> None:
    guide(site, *map(paragraph, SUBJECTS))
    crawl(domains=site.url)
    before = whole()
    folder = Path(settings["OUTPUT_DIR"]) / "qdrant"
    with open_store(StoreConfig(folder=folder, collection="ragcrawler")) as store:
        store.delete([before[2].id])
    run = crawl(domains=site.url)
    assert run.report["chunks"]["new"] == 1
    assert run.skipped == {"unchanged": 1}
    assert [chunk.id for chunk in whole()] == [chunk.id for chunk in before]


def test_the_record_of_a_collection_that_was_removed_keeps_no_text_out(
    site: Any, crawl: Crawl, whole: Any, settings: dict[str, Any]
) -> None:
    guide(site, *map(paragraph, SUBJECTS[:2]))
    first = crawl(domains=site.url)
    shutil.rmtree(Path(settings["OUTPUT_DIR"]) / "qdrant")
    serve(site, "/", article(paragraph("houses"), links=("/manual",)))
    serve(site, "/manual", article(*map(paragraph, SUBJECTS[:2])))
    dry = crawl(domains=site.url, dry_run="1")
    assert dry.report["documents"]["new"] == 2
    again = crawl(domains=site.url)
    assert again.report["documents"]["new"] == 2
    assert again.report["chunks"]["new"] == first.report["chunks"]["new"]
    crawl(domains=site.url, GONE_AFTER=1, DELETE_BRAKE=100)
    assert {chunk.source_url for chunk in whole()} == {f"{site.url}/", f"{site.url}/manual"}


def test_other_chunk_sizes_prepare_every_page_anew(site: Any, crawl: Crawl, whole: Any) -> None:
    guide(site, *map(paragraph, SUBJECTS))
    crawl(domains=site.url)
    run = crawl(domains=site.url, CHUNK_TARGET_TOKENS=25, CHUNK_MAX_TOKENS=40)
    assert "unchanged" not in run.skipped
    assert run.report["chunks"]["removed"] > 0
    assert run.report["disagreements"] == []
    whole()
