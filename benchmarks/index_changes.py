"""The cost of a site's changes: texts embedded, points written, and whether the index is whole after each.

    uv run python benchmarks/index_changes.py FOLDER [--page git-rebase.html]

FOLDER is a static website with all its pages beside each other, `/usr/share/doc/git-doc` of Debian's package
git-doc say. It is served on loopback and crawled with hashing models; between the crawls it changes as sites
do. After each step `scrapy verify` has to find nothing. At the end points of a copy are deleted, doubled and
changed, and `scrapy verify --repair` tells what it mended.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from uuid import uuid4

from ragcrawler.items import SemanticChunk
from ragcrawler.stores import ChunkStore, StoreConfig, open_store
from ragcrawler.stores.transfer.chunks_with_vectors import chunks_with_vectors

QUICK = {
    "EMBEDDING_MODEL": "hashing/384",
    "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "False",
    "JUNK_URL_PATTERN": "",
    "LOG_LEVEL": "WARNING",
}


WITH_TOKENS = {"EMBEDDING_MODEL": "bundled/all-MiniLM-L6-v2-int8", "TOKEN_VECTORS": "1"}


class ChangingSite:
    """A folder on loopback whose pages can be changed, renamed and taken away."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shell = ""
        self.date = ""
        self.edits: dict[str, Callable[[str], str]] = {}
        self.renamed: dict[str, str] = {}
        self.gone: set[str] = set()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = site.body(self.path.partition("?")[0].lstrip("/") or "index.html")
                self.send_response(404 if body is None else 200)
                kind = "text/plain" if self.path.endswith(".txt") else "text/html"
                self.send_header("Content-Type", f"{kind}; charset=utf-8")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """A crawler that is killed hangs up; that is no error here."""

        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"

    def body(self, name: str) -> bytes | None:
        old = {new: old for old, new in self.renamed.items()}.get(name, name)
        path = self.folder / old
        if name in self.gone or name in self.renamed or "/" in name or not path.is_file():
            return None
        if path.suffix != ".html":
            return path.read_bytes()
        text = path.read_text(encoding="utf-8")
        text = self.edits.get(old, lambda same: same)(text)
        if self.shell:
            text = re.sub(r"(<head[^>]*>)", rf"\1<meta name='nonce' content='{self.shell}'>", text, count=1)
            text = re.sub(
                r"(<body[^>]*>)", rf"\1<nav><a href='/'>Start</a> {self.shell}</nav>", text, count=1
            )
        return text.replace("Last updated", f"Last updated {self.date}").encode()


def scrapy(output: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    values = {**QUICK, "OUTPUT_DIR": str(output)}
    given = [part for name, value in values.items() for part in ("-s", f"{name}={value}")]
    return subprocess.run(
        [sys.executable, "-m", "scrapy", *arguments, *given], capture_output=True, text=True, check=False
    )


def step(name: str, output: Path, site: ChangingSite, *arguments: str) -> dict[str, Any]:
    ended = scrapy(output, "crawl", "seeds", "-a", f"domains={site.url}", *arguments)
    folder = max((output / "runs").iterdir())
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    chunks, documents = report["chunks"], report["documents"]
    checked = scrapy(output, "verify")
    print(
        f"{name:<34} code {ended.returncode}, embedded {chunks['embedded']:>5}, new {chunks['new']:>5}, "
        f"updated {chunks['updated']:>4}, removed {chunks['removed']:>4}; documents new {documents['new']}, "
        f"changed {documents['changed']}, same text {documents['same_text']}, unchanged "
        f"{documents['unchanged']}, gone {documents['waiting']} waiting, {documents['removed']} removed, "
        f"{documents['spared']} spared; "
        f"{report['refusal']}{report['elapsed_seconds']:.0f} s; verify {checked.returncode}: "
        f"{checked.stdout.strip()[-60:]}",
        flush=True,
    )
    return report


def paragraph_changed(text: str) -> str:
    paragraphs = list(re.finditer(r"<p>([A-Z][^<]{80,})</p>", text))
    middle = paragraphs[len(paragraphs) // 2]
    return f"{text[: middle.end() - 4]} One sentence was added here yesterday.{text[middle.end() - 4 :]}"


def half(text: str) -> str:
    """The page without the second half of its sections."""
    starts = [match.start() for match in re.finditer(r'<div class="sect1">', text)]
    end = text.index('<div id="footnotes">')
    return f"{text[: starts[len(starts) // 2]]}</div>{text[end:]}"


def damage(store: ChunkStore) -> None:
    """100 points deleted, 50 doubled under other ids, 20 with another payload."""
    chunks: list[SemanticChunk] = sorted(chunks_with_vectors(store), key=lambda chunk: chunk.id)
    store.delete([chunk.id for chunk in chunks[:100]])
    store.upsert([replace(chunk, id=str(uuid4())) for chunk in chunks[200:250]])
    wrong = [replace(chunk, content=f"{chunk.content} (changed)", vectors=None) for chunk in chunks[300:310]]
    moved = [replace(chunk, prev_chunk_id=chunks[0].id, vectors=None) for chunk in chunks[310:320]]
    store.upsert(wrong + moved)


def verify_damaged(output: Path, copy: Path) -> None:
    """Damage a copy, find it, mend it, look again."""
    shutil.copytree(output, copy)
    with open_store(StoreConfig(folder=copy / "qdrant", collection="ragcrawler")) as store:
        damage(store)
    for arguments in ((), ("--repair",), ()):
        ended = scrapy(copy, "verify", *arguments)
        lines = [
            line for line in ended.stdout.splitlines() if line.startswith("repaired") or "faults:" in line
        ]
        print(f"verify {' '.join(arguments):<10} code {ended.returncode}: {'; '.join(lines)}{ended.stderr}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--page", default="git-rebase.html", help="a page to edit and rename")
    options = parser.parse_args()
    site = ChangingSite(options.folder)
    names = sorted(path.name for path in options.folder.glob("*.html"))
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "output"
        step("first crawl", output, site)
        step("again at once", output, site)
        site.edits[options.page] = paragraph_changed
        step("one paragraph changed", output, site)
        site.shell = "build 2"
        step("navigation changed on all pages", output, site)
        site.date = "today"
        step("date in the footer of all pages", output, site)
        new_name = f"the-{options.page}"
        site.edits["index.html"] = lambda text: text.replace(f'"{options.page}', f'"{new_name}')
        step("the start page links elsewhere", output, site)
        site.renamed[options.page] = new_name
        step("and there the page is now", output, site)
        site.edits[options.page] = half
        step("a page shortened", output, site)
        site.gone = set([name for name in names if name not in ("git.html", "index.html")][:: 100 // 12])
        step(f"{len(site.gone)} of {len(names)} pages gone", output, site)
        step("once more: the brake", output, site)
        step("forced", output, site, "-a", "force_delete=1")
        verify_damaged(output, Path(scratch) / "copy")
    site.server.shutdown()


if __name__ == "__main__":
    main()
