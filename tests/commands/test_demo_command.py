"""`scrapy demo` with the real bundled models: the site's own tables say what should come of it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import pytest

from ragcrawler.site_server import DEMO_SITE as SITE

TABLE = json.loads((SITE / "expected.json").read_text(encoding="utf-8"))
# The demo reads the sitemap as every crawl does.
EXPECTED = [*TABLE["urls"], *({"url": url, "outcome": "fetched"} for url in TABLE["only_in_sitemap"])]
QUESTIONS = json.loads((SITE / "questions.json").read_text(encoding="utf-8"))
CANARY = "Canary7Pw"
SECRETS = {
    "QDRANT_API_KEY": CANARY,
    "LLM_MODEL": "some",
    "LLM_BASE_URL": "http://127.0.0.1:9/v1",
    "LLM_API_KEY": CANARY,
    "CRAWL_HEADERS": json.dumps({"127.0.0.1:9": {"Authorization": f"Bearer {CANARY}"}}),
    "LOG_LEVEL": "DEBUG",
}


class Demo(NamedTuple):
    """A demo that was run."""

    stdout: str
    shown: str  # on the screen and in files, all together
    report: dict[str, Any]
    documents: dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def demo(make_scrapy: Callable[[Path], Any], tmp_path_factory: pytest.TempPathFactory) -> Demo:
    scrapy = make_scrapy(tmp_path_factory.mktemp("demo"))
    ended = scrapy.run("demo", EMBEDDING_MODEL="auto", SPARSE_EMBEDDING_MODEL="auto", **SECRETS)
    assert ended.returncode == 0, ended.stderr
    files = [
        path.read_bytes().decode("utf-8", "replace") for path in scrapy.output.rglob("*") if path.is_file()
    ]
    shown = "\n".join([ended.stdout, ended.stderr, *files])
    (run,) = scrapy.output.glob("runs/*")
    lines = (run / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    documents = {unquote(urlsplit(entry["url"]).path): entry for entry in map(json.loads, lines)}
    return Demo(ended.stdout, shown, json.loads((run / "report.json").read_text(encoding="utf-8")), documents)


def test_exactly_the_expected_pages_are_fetched(demo: Demo) -> None:
    assert set(demo.documents) == {entry["url"] for entry in EXPECTED if entry["outcome"] == "fetched"}


def test_the_rest_is_skipped_for_the_expected_reasons(demo: Demo) -> None:
    reasons = [entry["reason"] for entry in EXPECTED if entry["outcome"] == "skipped"]
    assert demo.report["pages"]["skipped"] == {reason: reasons.count(reason) for reason in set(reasons)}
    assert demo.report["pages"]["failed"] == {}
    assert demo.report["pages"]["seen"] == len(EXPECTED)


@pytest.mark.parametrize("number", range(len(QUESTIONS)))
def test_the_first_answer_to_each_question_links_to_its_page(demo: Demo, number: int) -> None:
    question = QUESTIONS[number]
    answers = demo.stdout.partition(question["question"])[2]
    first_link = next(word for word in answers.split() if word.startswith("http://"))
    link = urlsplit(first_link)
    assert link.path == question["page"]
    assert question["heading"] in link.fragment


def test_it_says_where_feed_report_and_collection_lie(demo: Demo) -> None:
    for word in ("documents.jsonl", "report.md", "report.html", "qdrant"):
        assert word in demo.stdout


def test_no_key_is_shown_or_written(demo: Demo) -> None:
    assert "DEBUG" in demo.shown
    assert [line for line in demo.shown.splitlines() if CANARY in line] == []


def test_every_chunk_that_was_made_is_in_the_collection(demo: Demo) -> None:
    made = sum(len(document["chunks"]) for document in demo.documents.values())
    assert made == demo.report["chunks"]["made"] == demo.report["collection_points"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/downloads/installation.pdf", "| Terminal | Connects to | Cable | Fuse |"),
        ("/downloads/season-handbook.docx", "# "),
        ("/hardware/sensors.html", "| --- |"),
        ("/api.html", "```"),
        ("/gewächshaus.html", "# "),
    ],
)
def test_structure_survives_the_conversion(demo: Demo, path: str, text: str) -> None:
    assert text in demo.documents[path]["markdown"]
