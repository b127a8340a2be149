"""`scrapy remove`: pages and sites taken out by a command, beside a server, and with a kill in the middle."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ragcrawler.catalogue.sqlite.catalogue import SqliteCatalogue
from ragcrawler.frontier.filters.kept_out import page_entry
from ragcrawler.run.removal.request import RemovalRequest, find_removal
from tests.commands.conftest import Scrapy

DONE, NOT_STARTED, NOTHING = 0, 1, 3
CLEAN, FOUND, REPAIRED = 0, 3, 4
SECRET = "The zebramark is what this page tells of, and nobody shall read of it any more. "


def page(path: str) -> tuple[int, bytes]:
    if path not in ("/", "/1", "/2", "/secret"):
        return 404, b""
    links = "".join(f'<a href="/{each}">{each}</a>' for each in (1, 2, "secret") if path == "/")
    words = SECRET if path == "/secret" else f"Who waters bed {path} notes what it shows. "
    sections = "".join(f"<h2>Part {part} of {path}</h2><p>{words * 5}</p>" for part in range(4))
    return 200, f"<html><body><main><h1>Bed {path}</h1>{sections}</main>{links}</body></html>".encode()


@pytest.fixture
def url(scrapy: Scrapy, serve: Callable[..., str]) -> str:
    """A small site that was crawled."""
    url = serve(page)
    ended = scrapy.run("crawl", "seeds", "-a", f"domains={url}")
    assert ended.returncode == 0, ended.stderr
    return url


def test_a_page_is_looked_at_removed_kept_out_and_let_in_again(scrapy: Scrapy, url: str) -> None:
    looked = scrapy.run("remove", f"{url}/secret", "--dry-run")
    assert looked.returncode == DONE, looked.stderr
    went, page, elsewhere, advice = looked.stdout.splitlines()
    assert re.fullmatch(r"stays without --everywhere: lines of runs/\S+/documents.jsonl 1", elsewhere)
    assert [went, page, advice] == [
        "would be removed: vectors in the cache 4, chunks 2, documents 1",
        f"  {url}/secret",
        "the next crawl that finds it brings it back; --keep-out keeps it out",
    ]
    removed = scrapy.run("remove", f"{url}/secret", "--keep-out", "--json")
    told = json.loads(removed.stdout)
    assert (told["urls"], told["counts"]["documents"], told["left"]) == ([f"{url}/secret"], 1, [])
    assert [each["pattern"] for each in told["kept_out"]] == [f"{url}/secret"]
    assert scrapy.run("verify").returncode == CLEAN
    listed = scrapy.run("remove", "--list")
    assert listed.stdout.split()[1:] == f"page {url}/secret and its text, wherever it stands".split()
    assert scrapy.run("remove", f"{url}/secret").returncode == NOTHING
    everywhere = scrapy.run("remove", f"{url}/secret", "--everywhere")
    assert everywhere.stdout.startswith("removed: lines of runs/")
    assert everywhere.returncode == DONE
    assert scrapy.run("remove", "--allow", f"{url}/secret").stdout == "let in again: 1\n"
    assert scrapy.run("remove", "--list").stderr == "Nothing is kept out.\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "name what is to be removed"),
        (("a.org", "--list"), "name what is to be removed"),
        (("a.org",), "there is no catalogue"),
        (("--keep-out", "no domain"), "neither the URL of a page"),
    ],
)
def test_what_cannot_be_meant_is_refused(scrapy: Scrapy, arguments: tuple[str, ...], complaint: str) -> None:
    ended = scrapy.run("remove", *arguments)
    assert ended.returncode not in (DONE, NOTHING)
    assert complaint in ended.stderr + ended.stdout
    assert "Traceback" not in ended.stderr


def catalogue_of(output: Path, collection: str = "ragcrawler") -> SqliteCatalogue:
    return SqliteCatalogue(output / "catalogue" / f"{collection}.sqlite")


def test_verify_finishes_what_was_begun_and_names_what_should_not_be_there(scrapy: Scrapy, url: str) -> None:
    with catalogue_of(scrapy.output) as catalogue:
        removal = find_removal(catalogue, RemovalRequest((f"{url}/secret",)))
        catalogue.begin_removal(removal.to_json())
    finished = scrapy.run("verify")
    assert finished.returncode == CLEAN
    assert finished.stderr == "Documents that were removed, or are kept out, and now are: 1\n"
    assert finished.stdout == "6 points of 3 documents; faults: none\n"
    with catalogue_of(scrapy.output) as catalogue:
        assert catalogue.open_removals() == {}
        catalogue.keep_out([page_entry(f"{url}/2")])  # of which points are there, from a backup say
    named = scrapy.run("verify")
    assert named.returncode == FOUND
    assert named.stdout.startswith(f"kept_out_document  {url}/2  2 points of what the collection keeps out\n")
    mended = scrapy.run("verify", "--repair")
    assert mended.returncode == REPAIRED
    assert "deleted 2, records settled 1" in mended.stdout
    assert scrapy.run("verify").stdout == "4 points of 2 documents; faults: none\n"


def test_points_that_no_crawl_recorded_are_no_way_back(scrapy: Scrapy, url: str) -> None:
    """`verify --repair` enters them in the catalogue, unless they are kept out."""
    with catalogue_of(scrapy.output) as catalogue:
        (record,) = [each for each in catalogue.documents() if each.url.endswith("/secret")]
        catalogue.remove([record.document_id])
        catalogue.keep_out([page_entry(record.url)])
    assert scrapy.run("verify", "--repair").returncode == REPAIRED
    assert scrapy.run("verify").stdout == "6 points of 3 documents; faults: none\n"


def test_an_import_brings_nothing_that_either_collection_keeps_out(
    scrapy: Scrapy, url: str, tmp_path: Path
) -> None:
    before, after = str(tmp_path / "before.jsonl"), str(tmp_path / "after.parquet")
    assert scrapy.run("export", "--vectors", "--output", before).returncode == 0
    assert scrapy.run("remove", f"{url}/secret", "--keep-out").returncode == DONE
    again = scrapy.run("import", before)
    assert again.stdout.splitlines() == [
        "6 chunks of 3 documents imported",
        "2 chunks left out, which the collection keeps out",
    ]
    exported = scrapy.run("export", "--vectors", "--format", "parquet", "--output", after)
    assert exported.returncode == 0, exported.stderr
    copied = scrapy.run("import", before, QDRANT_COLLECTION="copy")
    assert copied.stdout == "8 chunks of 4 documents imported\n"
    taken_over = scrapy.run("import", after, QDRANT_COLLECTION="copy")
    assert "now are: 1" in taken_over.stderr
    listed = [
        scrapy.run("remove", "--list", QDRANT_COLLECTION=name).stdout for name in ("copy", "ragcrawler")
    ]
    assert listed[0] == listed[1] != ""
    checked = scrapy.run("verify", QDRANT_COLLECTION="copy")
    assert checked.stdout == "6 points of 3 documents; faults: none\n"


def test_an_export_with_an_entry_that_is_none_is_refused(scrapy: Scrapy, url: str, tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    assert scrapy.run("export", "--vectors", "--output", str(path)).returncode == 0
    header, *lines = path.read_text().splitlines()
    for entry in (
        {"pattern": "a.org", "kind": "world"},
        {"pattern": "no domain", "kind": "site"},
        {"kind": 1},
    ):
        path.write_text("\n".join([json.dumps(json.loads(header) | {"kept_out": [entry]}), *lines]) + "\n")
        refused = scrapy.run("import", str(path), QDRANT_COLLECTION="other")
        assert refused.returncode == NOT_STARTED
        assert "The header of the export is damaged" in refused.stderr


def test_what_is_kept_out_stays_so_in_a_collection_that_takes_the_name(scrapy: Scrapy, url: str) -> None:
    """One was crawled anew under another name, and knows nothing of what was taken out of the first."""
    assert scrapy.run("remove", f"{url}/secret", "--keep-out").returncode == DONE
    anew = scrapy.run("crawl", "seeds", "-a", f"domains={url}", QDRANT_COLLECTION="v2")
    assert anew.returncode == 0, anew.stderr
    assert scrapy.run("verify", QDRANT_COLLECTION="v2").stdout.startswith("8 points of 4 documents")
    switched = scrapy.run("reindex", "--into", "v2", "--only-switch")
    assert switched.returncode == 0, switched.stderr
    assert "now are: 1" in switched.stderr
    assert scrapy.run("verify").stdout == "6 points of 3 documents; faults: none\n"
    rebuilt = scrapy.run("reindex", "--into", "v3", "--switch")
    assert rebuilt.returncode == 0, rebuilt.stderr
    for name in ("v2", "v3", "ragcrawler"):
        assert f"{url}/secret" in scrapy.run("remove", "--list", QDRANT_COLLECTION=name).stdout
