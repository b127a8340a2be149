"""A made-up book of Markdown through `scrapy crawl files`, twice: what is read, lost, and done again.

    python benchmarks/files_scale.py --set CHUNK_STRATEGY=h2_characters     # 002: 40 pages in 5 modules
    python benchmarks/files_scale.py --pages 10000 --modules 100 --characters 1500 --model hashing

The pages have text before the first heading, headings of three levels, code whose comments look like
headings, tables, lists, front matter and relative links. A navigation file, one of each generator, names them
in an order that is not that of their names. The exit code is 1 where a page is lost, a word before a first
heading is in no chunk, a comment in code became a heading, the pages are read in another order than the
navigation has them, or the second run embeds anything or stores less.
"""

import argparse
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragcrawler.sources.documents import read_folder

PACKAGE = Path(__file__).parents[1]
MODELS = {
    "hashing": ("hashing/384", "hashing/sparse"),
    "bundled": ("bundled/all-MiniLM-L6-v2", "bundled/splade-tiny"),
}
_DOCS = " ".join(path.read_text(encoding="utf-8") for path in sorted((PACKAGE / "docs").glob("*.md")))
_WORDS = sorted(set(re.findall(r"\b[a-z]{3,12}\b", _DOCS)))


@dataclass(frozen=True)
class BookPage:
    """A page of the book.

    Attributes:
        path: in the folder.
        title: its first heading.
        text: its Markdown.
        opening: the words before the first heading.
    """

    path: str
    title: str
    text: str
    opening: tuple[str, ...]


class Book:
    """Pages of words of our docs, chosen by a seed."""

    def __init__(self, pages: int, modules: int, characters: int) -> None:
        self._random = random.Random(2)
        self._characters = characters
        names = [f"module-{number % modules + 1}/page-{number + 1}.md" for number in range(pages)]
        self._random.shuffle(names)
        names.sort(key=lambda name: self._order(name.partition("/")[0]))
        self.pages = [self._page(name, number) for number, name in enumerate(names)]

    def write(self, root: Path, navigation: str) -> None:
        """All files, and a navigation file of this generator."""
        for page in self.pages:
            path = root / page.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page.text, encoding="utf-8")
        name, text = NAVIGATIONS[navigation](self)
        (root / name).write_text(text, encoding="utf-8")

    def modules(self) -> dict[str, list[BookPage]]:
        """Pages by folder, in order."""
        found: dict[str, list[BookPage]] = {}
        for page in self.pages:
            found.setdefault(page.path.partition("/")[0], []).append(page)
        return found

    def _order(self, module: str) -> float:
        return random.Random(module).random()

    def _words(self, count: int) -> str:
        return " ".join(self._random.choices(_WORDS, k=count))

    def _page(self, path: str, number: int) -> BookPage:
        opening = tuple(f"opening{number}w{word}" for word in range(5 if number % 3 == 0 else 0))
        title = self._words(3).title()
        parts = [f"---\nauthor: {self._words(1)}\n---\n"] if number % 4 == 0 else []
        parts += [" ".join(opening) + ".\n"] if opening else []
        parts.append(f"# {title}\n\n{self._words(40)}. See [another](page-{number}.md#part).\n")
        while sum(map(len, parts)) < self._characters:
            parts.append(self._section(number, len(parts)))
        return BookPage(path, title, "\n".join(parts), opening)

    def _section(self, number: int, part: int) -> str:
        kind = part % 4
        body = f"## {self._words(2).capitalize()}\n\n{self._words(60)}. {self._words(30)}.\n"
        if kind == 0:
            steps = "\n".join(f"# comment{number}c{part} step {step}\nrun --step {step}" for step in range(4))
            return f"{body}\n```bash\n{steps}\n```\n"
        if kind == 1:
            rows = "\n".join(f"| {self._words(1)} | {self._words(4)} |" for _ in range(6))
            return f"{body}\n| name | meaning |\n|---|---|\n{rows}\n"
        if kind == 2:
            items = "\n".join(f"- {self._words(8)}" for _ in range(6))
            return f"{body}\n### {self._words(2).capitalize()}\n\n{items}\n"
        return f"{body}\n{self._words(70)}.\n\n    # comment{number}c{part} indented\n    run\n"


def _mdbook(book: Book) -> tuple[str, str]:
    lines = ["# Summary", ""]
    for module, pages in book.modules().items():
        lines += [f"# {module}", "", *(f"- [{page.title}]({page.path})" for page in pages), ""]
    return "SUMMARY.md", "\n".join(lines)


def _mkdocs(book: Book) -> tuple[str, str]:
    modules = book.modules().items()
    nav = [{module: [{page.title: page.path} for page in pages]} for module, pages in modules]
    return "mkdocs.yml", json.dumps({"site_name": "Book", "docs_dir": ".", "nav": nav})


def _docusaurus(book: Book) -> tuple[str, str]:
    categories = [
        {
            "type": "category",
            "label": module,
            "items": [
                {"type": "doc", "id": page.path.removesuffix(".md"), "label": page.title} for page in pages
            ],
        }
        for module, pages in book.modules().items()
    ]
    return "sidebars.json", json.dumps({"book": categories})


NAVIGATIONS = {"mdbook": _mdbook, "mkdocs": _mkdocs, "docusaurus": _docusaurus}


def orders_that_differ(book: Book, folder: Path) -> list[str]:
    """The generators whose navigation is not the order of reading."""
    wanted = [page.path for page in book.pages]
    wrong = []
    for navigation in NAVIGATIONS:
        root = folder / navigation
        book.write(root, navigation)
        read = [file.path for file in read_folder(root).files]
        if [path for path in read if path.endswith(".md") and path != "SUMMARY.md"] != wanted:
            wrong.append(navigation)
    return wrong


def crawl(root: Path, output: Path, model: str, settings: list[str]) -> tuple[int, dict[str, Any]]:
    """Exit code and report of a crawl."""
    dense, sparse = MODELS[model]
    values = {"OUTPUT_DIR": str(output), "EMBEDDING_MODEL": dense, "SPARSE_EMBEDDING_MODEL": sparse}
    values |= {"LOG_LEVEL": "ERROR", "QDRANT_URL": "", "PROGRESS_ENABLED": "False"}
    options = [part for pair in values.items() for part in ("-s", "=".join(pair))]
    options += [part for setting in settings for part in ("-s", setting)]
    command = [sys.executable, "-m", "scrapy", "crawl", "files", "-a", f"path={root}", *options]
    code = subprocess.run(command, cwd=PACKAGE, check=False).returncode
    return code, json.loads((_newest(output) / "report.json").read_text(encoding="utf-8"))


def _newest(output: Path) -> Path:
    return max((output / "runs").iterdir(), key=lambda path: path.stat().st_mtime_ns)


def documents(output: Path) -> Iterator[dict[str, Any]]:
    """Those of the last run's feed."""
    with (_newest(output) / "documents.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def losses(book: Book, output: Path) -> tuple[int, int, int]:
    """Words before first headings that are in no chunk, headings made of comments, and documents."""
    openings = {page.path: page.opening for page in book.pages}
    lost = made_up = count = 0
    for document in documents(output):
        count += 1
        chunks = document["chunks"]
        words = set(re.findall(r"\w+", " ".join(chunk["content"] for chunk in chunks)))
        lost += len(set(openings.get(document["url"], ())) - words)
        headings = {heading for chunk in chunks for heading in chunk["section_path"]}
        headings |= {heading for chunk in chunks for heading in chunk["headers"].values()}
        made_up += sum(heading.startswith("comment") for heading in headings)
    return lost, made_up, count


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--modules", type=int, default=5)
    parser.add_argument("--characters", type=int, default=2500, help="of a page, at least; one section more")
    parser.add_argument("--model", choices=MODELS, default="bundled")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting")
    options = parser.parse_args()
    book = Book(options.pages, options.modules, options.characters)
    with tempfile.TemporaryDirectory() as folder:
        wrong = orders_that_differ(book, Path(folder))
        root, output = Path(folder, "mdbook"), Path(folder, "output")
        print(
            f"{len(book.pages)} pages in {len(book.modules())} modules, "
            f"{sum(len(page.text) for page in book.pages) / len(book.pages):.0f} characters a page"
        )
        print(f"order of reading differs from the navigation of: {', '.join(wrong) or 'none'}")
        ends = []
        for title in ("first", "second"):
            before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            code, report = crawl(root, output, options.model, options.set)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            stats, pages = report["stats"], report["pages"]
            embedded = stats.get("ragcrawler/embed/texts", 0)
            ends.append((code, report["collection_points"], embedded))
            print(
                f"{title}: {pages['fetched']} fetched, skipped {pages['skipped']}, failed {pages['failed']}; "
                f"{embedded} texts embedded, {report['collection_points']} chunks in the collection; "
                f"{time.monotonic() - begin:.0f} s, {cpu:.0f} s of CPU; exit code {code}"
            )
            if title == "first":
                lost, made_up, count = losses(book, output)
    print(f"words before the first heading that were lost: {lost}")
    print(f"headings made of comments in code: {made_up}")
    (code, points, _), (second_code, second_points, again) = ends
    is_right = not (wrong or code or second_code or lost or made_up or again)
    return int(not is_right or count != len(book.pages) or second_points != points)


if __name__ == "__main__":
    sys.exit(main())
