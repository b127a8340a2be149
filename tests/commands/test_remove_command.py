"""`scrapy remove`: pages and sites taken out by a command, beside a server, and with a kill in the middle."""

import json
from collections.abc import Callable

import pytest

from tests.commands.conftest import Scrapy

DONE, NOT_STARTED, NOTHING = 0, 1, 3
CLEAN = 0
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
    assert looked.stdout.splitlines() == [
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
