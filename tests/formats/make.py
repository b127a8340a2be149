"""Makes the files that this version leaves on a disk: `python tests/formats/make.py`.

The archive is named after the version. It holds what a crawl of a small folder leaves (collection, catalogue,
run), the folder, and a crawl of a site that was broken off. One is made for each version that is released,
and stays: what stands in it, every later version reads.
"""

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ragcrawler.catalogue import SqliteCatalogue
from ragcrawler.frontier import Frontier, FrontierOptions, ListingPlace, ParsedResponse, Target
from ragcrawler.frontier.scope import Scope
from ragcrawler.items import Page
from ragcrawler.run.saved_crawls.saved_crawl import CrawlIdentity, SavedCrawl
from ragcrawler.urls.links.page_links import PageLinks

BASE = "https://garden.example/"
SITE = "https://a.example"
NOW = 1_000_000.0
IDENTITY = CrawlIdentity("seeds", {"domains": "a.example"}, "collection")
SETTINGS = {
    "EMBEDDING_MODEL": "hashing/384",
    "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
    "CHUNK_TARGET_TOKENS": "60",
    "CHUNK_MAX_TOKENS": "120",
    "CHUNK_MIN_TOKENS": "10",
    "QDRANT_URL": "",
}
_TABLE = "\n".join(["| bed | water |", "|---|---|", *(f"| bed {n} | {n} litres |" for n in range(60))])
_LIST = "\n".join(f"{n}. Dig row {n} before the frost comes." for n in range(1, 40))
_FOLDER = {
    "water.md": f"# Water\n\n## Beds\n\nWho waters notes it.\n\n{_TABLE}\n\n## Rain\n\nSee [dig](dig.md).\n",
    "dig.md": f"---\ntitle: Digging\n---\n\n# Digging\n\n{_LIST}\n\n```python\ndig(row=1)\n```\n",
    "notes/short.txt": "The gate creaks; oil it in spring.\n",
    "notes/page.html": "<html lang=en><body><main><h1>Tools</h1><h2 id=spade>Spade</h2><p>A spade is cleaned "
    "after the work, dried with a cloth and hung up where no rain comes.</p></main></body></html>",
}


def main() -> None:
    """Write the archive of this version."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, text in _FOLDER.items():
            (folder / "site" / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / "site" / path).write_text(text, encoding="utf-8")
        _crawl(folder)
        expected = {**_stored(folder), "open": _break_off(folder / "output")}
        (folder / "expected.json").write_text(json.dumps(expected, indent=1), encoding="utf-8")
        archive = Path(__file__).with_name(f"{version('ragcrawler')}.tar.xz")
        with tarfile.open(archive, "w:xz", preset=9) as written:
            for each in ("site", "output", "expected.json"):
                written.add(folder / each, each, filter=_anonymous)
    sys.stdout.write(f"{archive}: {archive.stat().st_size:,} bytes\n")


def _crawl(folder: Path) -> None:
    settings = SETTINGS | {"OUTPUT_DIR": "output"}
    given = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    command = ["crawl", "files", "-a", "path=site", "-a", f"base_url={BASE}", *given]
    subprocess.run(
        [sys.executable, "-m", "ragcrawler", *command],
        check=True,
        cwd=folder,
        env=os.environ | {"RAGCRAWLER_ROOT": str(folder), "LOG_LEVEL": "ERROR"},
    )


def _stored(folder: Path) -> dict[str, Any]:
    with SqliteCatalogue(folder / "output" / "catalogue" / "ragcrawler.sqlite") as catalogue:
        records = list(catalogue.documents())
    return {"documents": {record.url: len(record.chunks) for record in records}}


def _break_off(output: Path) -> dict[str, float]:
    """A crawl that is killed over its second page; what is asked for then, and until when it waits."""
    saved = SavedCrawl.open(output, IDENTITY, resumes=True)
    options = FrontierOptions(Scope.parse("a.example"), (f"{SITE}/",))
    frontier = Frontier(options, saved.state, clock=lambda: NOW)
    saved.begin_run("run-1", frontier, delay_seconds=0.5)
    with frontier.effects.transaction():
        frontier.start()
        frontier.queue.put(Target(f"{SITE}/sitemap.xml", listing=ListingPlace(SITE)))
    _lease(frontier)
    _fetch(frontier, f"{SITE}/", PageLinks(tuple(f"{SITE}/{each}" for each in ("x", "y", "real", "copy"))))
    _lease(frontier)
    _fetch(frontier, f"{SITE}/copy", PageLinks(canonical=(f"{SITE}/real",)))
    with frontier.effects.transaction():
        frontier.queue.delay(Target(f"{SITE}/y"), NOW + 30.0, 2)
        frontier.throttle.begin_request("a.example", 0.5)
    saved.end(is_over=False)
    return {f"{SITE}/sitemap.xml": 0.0, f"{SITE}/x": 0.0, f"{SITE}/y": NOW + 30.0, f"{SITE}/real": 0.0}


def _lease(frontier: Frontier) -> None:
    while frontier.queue.next(NOW, lambda _: True) is not None:
        pass


def _fetch(frontier: Frontier, url: str, links: PageLinks) -> None:
    target = Target(url)
    page = Page(id=url, url=url, final_url=url, body=b"", content_type="", status=200, fetched_at="", depth=0)
    frontier.effects.judge(target, frontier.resolve_redirect(target, url), ParsedResponse(page, links))
    if not links.canonical:
        frontier.effects.keep(url, {"upsert/points": 1})


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    if entry.name.endswith(".lock"):
        return None
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


if __name__ == "__main__":
    main()
