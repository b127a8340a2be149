"""A research over a real documentation site, found by a real SearXNG: from a question to a PDF.

    python benchmarks/research_site.py [--folder /usr/share/doc/python3.11/html] [--environment FOLDER]
                                       [--keep FOLDER] [--budget-pages 60]

Serves Debian's `python3.11-doc` on loopback. SearXNG (see `discover.py`) has two engines that rank its pages
by BM25. The research is given a question and no URL: what it reads, SearXNG and links have led to. No
language model can be reached: a double reads by rules (`ReleaseModel`). `--keep` leaves the reports there, to
be looked at. Prints one JSON object:

right, wrong, missed    dates of releases in the table, against those that all pages of the site say
searches                questions that SearXNG was asked; `questions` are all
citations, true         facts that the report cites, and those whose quote stands in the page as it is served
fragments, found        links with a text fragment, and those whose words stand in the text of the page
"""

import argparse
import asyncio
import html
import json
import re
import sqlite3
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from discover import environment_at, scrapy, searxng
from research_model import ReadingModel

GOAL = "Releases of Python, their dates and the PEPs that they brought"
TEMPLATE = {
    "name": "python_releases",
    "description": "A release of Python",
    "key": ["release"],
    "fields": {
        "release": {"type": "str", "description": "Its name with the number, such as Python 3.8"},
        "released": {"type": "date", "description": "The day on which it was released"},
        "predecessor": {"type": "str?", "description": "The release with which it is compared"},
        "peps": {"type": "list[str]?", "description": "Python Enhancement Proposals that it brought"},
    },
}
_DAY = r"(?P<value>[A-Z][a-z]+ \d{1,2}, \d{4})"
_RELEASED = re.compile(rf"(?P<name>Python \d+(?:\.\d+)+)(?: was|,)? (?:originally )?released on {_DAY}")
_COMPARED = re.compile(r"(?P<name>Python \d+\.\d+),? (?:as )?compared to (?P<value>\d+\.\d+)")
_TITLE = re.compile(r"What.s New in (?P<name>Python \d+\.\d+)", re.IGNORECASE)
_PEP_HEADING = re.compile(r"#+ (?P<value>PEPs? \d+: .*)")
_PEP = re.compile(r"PEP \d+")
_RESULTS = 5


class ReleaseModel(ReadingModel):
    """Reads sentences about releases of Python by rules. It errs as often as it is told to."""

    def form(self, name: str, records: list[dict[str, Any]]) -> dict[str, Any]:
        known = {key: value for record in records for key, value in record.items()}
        if name == "SeedQuestions":
            questions = ["When was Python 3 released?", "When was Python 2 released?"]
            return {"questions": [*questions, "Which PEPs are new in a release of Python?"]}
        if name == "NarrativeForm":
            return {"sentences": [each for row in known["rows"] for each in self._sentences(row)]}
        sentences = [(number, re.sub(r"[*`\\]", "", text)) for number, text in known["page"]["sentences"]]
        return {"rows": self._rows(sentences), "leads": self._leads(sentences)}

    def _rows(self, sentences: list[tuple[int, str]]) -> list[dict[str, Any]]:
        rows: dict[str, dict[str, Any]] = {}
        title, titled = "", 0
        for number, text in sentences:
            if match := _TITLE.search(text):
                title, titled = title or match["name"], titled or number
            for path, rule in (("released", _RELEASED), ("predecessor", _COMPARED)):
                if match := rule.search(text):
                    row = rows.setdefault(match["name"], {"release": _cited(match["name"], number)})
                    row.setdefault(path, _cited(match["value"], number))
            if title and (match := _PEP_HEADING.fullmatch(text)):
                row = rows.setdefault(title, {"release": _cited(title, titled)})
                row.setdefault("peps", []).append(_cited(match["value"], number))
        return list(rows.values())

    def _leads(self, sentences: list[tuple[int, str]]) -> list[dict[str, Any]]:
        """What is mentioned by its number alone."""
        leads: dict[str, int] = {}
        for number, text in sentences:
            for pep in _PEP.findall(text) if "for a full description" in text else ():
                leads.setdefault(pep, number)
        return [
            {"question": f"Which release of Python brought {pep}?", "sentence": n} for pep, n in leads.items()
        ][:5]

    def _sentences(self, row: dict[str, Any]) -> list[dict[str, Any]]:
        said = {
            "released": "{name} was released on {value}.",
            "predecessor": "{name} is compared with its predecessor {value}.",
            "peps": "{name} brought {value}.",
        }
        facts = {(fact["field"], str(fact["value"])): fact for fact in reversed(row["facts"])}
        return [
            {"text": said[path].format(name=row["name"], value=value), "facts": [fact["id"]]}
            for (path, value), fact in facts.items()
            if path in said
        ]


def _cited(value: str, number: int) -> dict[str, Any]:
    return {"value": value, "sentence": number}


class Pages:
    """The pages of a folder and their text, found by BM25."""

    def __init__(self, folder: Path) -> None:
        self.texts = {str(path.relative_to(folder)): _text(path) for path in sorted(folder.rglob("*.html"))}
        self.queries: list[str] = []
        self._lock = threading.Lock()
        self._index = sqlite3.connect(":memory:", check_same_thread=False)
        self._index.execute("CREATE VIRTUAL TABLE pages USING fts5(path UNINDEXED, text, tokenize=porter)")
        self._index.executemany("INSERT INTO pages VALUES (?, ?)", self.texts.items())

    def find(self, query: str) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        with self._lock:
            self.queries.append(query)
            statement = "SELECT path FROM pages WHERE pages MATCH ? ORDER BY bm25(pages) LIMIT ?"
            return [path for (path,) in self._index.execute(statement, (words, _RESULTS))]


def _text(path: Path) -> str:
    bare = re.sub(r"(?s)<(script|style)\b.*?</\1>|<[^>]+>", "", path.read_text(encoding="utf-8"))
    return " ".join(html.unescape(bare).split())


class Site(SimpleHTTPRequestHandler):
    """The folder, and two search engines for it."""

    def __init__(self, *given: Any, pages: Pages, **named: Any) -> None:
        self._pages = pages
        super().__init__(*given, **named)

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path not in {"/api", "/html"}:
            super().do_GET()
            return
        asked = parse_qs(parts.query)
        found = self._pages.find(asked["q"][0]) if asked.get("p", ["1"]) == ["1"] else []
        base = f"http://{self.headers['Host']}/"
        if parts.path == "/api":
            results = [{"url": base + quote(each), "title": each, "content": ""} for each in found]
            self.answer("application/json", json.dumps({"results": results}))
        else:
            rows = (f'<div class="r"><a href="{base}{quote(each)}">{each}</a><p></p></div>' for each in found)
            self.answer("text/html", f"<html><body>{''.join(rows)}</body></html>")

    def answer(self, media_type: str, text: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name in the base
        pass


@contextmanager
def served(folder: Path, pages: Pages, port: int = 0) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", port), partial(Site, directory=str(folder), pages=pages))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@contextmanager
def running(model: ReadingModel) -> Iterator[str]:
    """The model, on a loop of its own: the research runs in processes of their own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(model.start(), loop).result(10)
    yield model.url
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


def research(output: Path, site: str, searxng_url: str, model_url: str, budget_pages: int) -> dict[str, Any]:
    """Question to PDF, as a user would type it; what the commands said."""
    definition = output / "python_releases.json"
    definition.write_text(json.dumps(TEMPLATE), encoding="utf-8")
    model = {"LLM_MODEL": "a-model", "LLM_BASE_URL": model_url, "LLM_API_KEY": "none"}
    speed = {"SEARCH_DELAY_SECONDS": "0", "DOWNLOAD_DELAY": "0", "AUTOTHROTTLE_ENABLED": "False"}
    added = scrapy("templates", "add", str(definition), output=output)
    words = ["research", GOAL, "--template", "python_releases", "--search", "searxng"]
    words += ["--domains", urlsplit(site).netloc, "--budget-pages", str(budget_pages)]
    given = {"OUTPUT_DIR": str(output), "QDRANT_URL": "", "SEARXNG_URL": searxng_url, **model, **speed}
    options = [word for name, value in given.items() for word in ("-s", f"{name}={value}")]
    done = subprocess.run(["scrapy", *words, *options], check=False)  # its view is the terminal's
    listed = scrapy("research", "--list", output=output)
    research_id = listed.stdout.split()[0]
    printed = subprocess.run(
        ["scrapy", "research", "--report", research_id, "--format", "pdf", "-s", f"OUTPUT_DIR={output}"],
        capture_output=True,
        check=False,
    )
    return {
        "exit_codes": [added.returncode, done.returncode, listed.returncode, printed.returncode],
        "id": research_id,
        "pdf_bytes": len(printed.stdout) if printed.stdout.startswith(b"%PDF") else 0,
    }


def measure(output: Path, pages: Pages, did: dict[str, Any]) -> dict[str, Any]:
    folder = output / "research" / did["id"]
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    truth: dict[str, set[str]] = {}
    for text in pages.texts.values():
        for match in _RELEASED.finditer(text):
            truth.setdefault(match["name"], set()).add(match["value"])
    found = {
        row["release"]["values"][0]["value"]: {each["value"] for each in row["released"]["values"]}
        for row in report["rows"]
        if "released" in row
    }
    cited = report["facts"].values()
    bare = {path: _bare(text) for path, text in pages.texts.items()}
    return {
        **did,
        "ended": report["ended"],
        "pages": report["pages"],
        "questions": len(report["questions"]),
        "searches": len(set(pages.queries)),
        "rows": len(report["rows"]),
        "right": sum(found[name] == truth[name] for name in found if name in truth),
        "wrong": sorted(name for name in found if found[name] != truth.get(name)),
        "missed": sorted(set(truth) - set(found)),
        "citations": len(cited),
        "true": sum(_bare(each["quote"]) in bare[_path(each["url"])] for each in cited),
        "fragments": len(cited),
        "found": sum(_is_found(each["link"], pages.texts) for each in cited),
        "sentences": len(report["sentences"]),
        "struck": report["struck"],
        "counts": report["counts"],
    }


def _path(url: str) -> str:
    path = unquote(urlsplit(url).path.lstrip("/"))
    return path or "index.html"


def _bare(text: str) -> str:
    """Its letters and digits: no markup, and no addresses of links."""
    return "".join(re.findall(r"[^\W_]", re.sub(r"\]\([^)\s]*\)", "", text)))


def _is_found(link: str, texts: dict[str, str]) -> bool:
    words = link.partition(":~:text=")[2].split(",")
    text = texts[_path(link)].casefold()
    return all(unquote(each).casefold() in text for each in words)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=Path("/usr/share/doc/python3.11/html"))
    parser.add_argument("--environment", type=Path, help="of SearXNG; a temporary one unless given")
    parser.add_argument("--keep", type=Path, help="folder that does not exist, for all results")
    parser.add_argument("--budget-pages", type=int, default=60)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        folder.chmod(0o755)  # the database runs as another user where this one is root
        output = given.keep or folder / "output"
        output.mkdir(parents=True)
        python = environment_at(given.environment or folder / "searxng")
        pages = Pages(given.folder)
        with (
            served(given.folder, pages) as site,
            searxng(python, folder, site) as searxng_url,
            running(ReleaseModel()) as model_url,
        ):
            did = research(output, site, searxng_url, model_url, given.budget_pages)
            print(json.dumps(measure(output, pages, did), indent=1))


if __name__ == "__main__":
    main()
