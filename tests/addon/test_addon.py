"""Our pipelines in a project that knows nothing of ours, by one line of its settings."""

import json
import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from scrapy.settings import Settings
from scrapy.utils.misc import load_object

from ragcrawler.addon import Ragcrawler
from ragcrawler.bootstrap import open_retriever
from tests.warm_python import Python, completed

SETTINGS = """
BOT_NAME = "shop"
SPIDER_MODULES = ["shop.spiders"]
ADDONS = {"ragcrawler.addon.Ragcrawler": 500}
ITEM_PIPELINES = {"shop.pipelines.Stamp": 300}
ROBOTSTXT_OBEY = False
LOG_LEVEL = "INFO"
EMBEDDING_MODEL = "hashing/384"
SPARSE_EMBEDDING_MODEL = "hashing/sparse"
"""
PIPELINES = """
from itemadapter import ItemAdapter


class Stamp:
    def process_item(self, item):
        ItemAdapter(item)["shop"] = "north"
        return item
"""
SPIDER = """
from dataclasses import dataclass

import scrapy


class Product(scrapy.Item):
    url = scrapy.Field()
    body = scrapy.Field()
    shop = scrapy.Field()


@dataclass
class Note:
    url: str
    markdown: str
    shop: str = ""


class ShopSpider(scrapy.Spider):
    name = "shop"

    async def start(self):
        yield scrapy.Request(self.site + "/pumps")

    def parse(self, response):
        yield {"url": response.url, "body": response.text}
        yield Product(url=response.url + "/manual", body=b"<h1>Manual</h1><p>Prime it with clear water.</p>")
        yield Note("https://shop.example/note", "# Note\\n\\nThe winter valve closes to the left.")
        yield {"name": "pump", "price": 39}
        yield {"url": "sku-17", "body": "A text that has no address."}
"""
HTML = b"<html><head><title>Pumps</title></head><body><h1>Pumps</h1><p>A pump hums at noon.</p></body></html>"


@pytest.fixture
def site() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(HTML)

        def log_message(self, *_: Any) -> None:
            """Keep the test's output quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Another project's folder, as `scrapy startproject` would leave it."""
    package = tmp_path / "shop"
    (package / "spiders").mkdir(parents=True)
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = shop.settings\n")
    for name, text in {
        "__init__.py": "",
        "settings.py": SETTINGS,
        "pipelines.py": PIPELINES,
        "spiders/__init__.py": "",
        "spiders/shop.py": SPIDER,
    }.items():
        (package / name).write_text(text)
    return tmp_path


def crawl(python: Python, project: Path, site: str) -> tuple[list[dict[str, Any]], dict[str, Any], str]:
    """The feed, the report and the log of a crawl in a process of its own."""
    program = python(
        *("-m", "scrapy", "crawl", "shop", "-a", f"site={site}", "-O", "out.jsonl"),
        folder=project,
        environment={**os.environ, "HF_HUB_OFFLINE": "1", "QDRANT_URL": ""},
    )
    finished = completed(program, timeout=300)
    assert finished.returncode == 0, finished.stderr
    items = [json.loads(line) for line in (project / "out.jsonl").read_text("utf-8").splitlines()]
    run = max((project / "output" / "runs").iterdir())
    return items, json.loads((run / "report.json").read_text("utf-8")), finished.stderr


def test_one_line_indexes_the_pages_of_another_project_and_leaves_its_items_alone(
    python: Python, project: Path, site: str
) -> None:
    items, report, log = crawl(python, project, site)
    assert "Traceback" not in log
    assert " ERROR: " not in log
    documents = {item["url"]: item["state"] for item in items if "markdown" in item}
    urls = {f"{site}/pumps", f"{site}/pumps/manual", "https://shop.example/note"}
    assert documents == dict.fromkeys(urls, "new")
    assert [item for item in items if "markdown" not in item] == [
        {"name": "pump", "price": 39, "shop": "north"},
        {"url": "sku-17", "body": "A text that has no address.", "shop": "north"},
    ]
    assert {
        name: report["stats"][f"ragcrawler/foreign/{name}"] for name in ("pages", "items", "unusable")
    } == {
        "pages": 3,
        "items": 1,
        "unusable": 1,
    }
    assert "sku-17" in log
    assert (report["pages"]["fetched"], report["exit_code"]) == (3, 0)
    with open_retriever(OUTPUT_DIR=str(project / "output"), QDRANT_URL="") as retriever:
        ((chunk, _),) = retriever.search("Which way does the winter valve close?", 1)
    assert chunk.source_url == "https://shop.example/note"

    items, report, log = crawl(python, project, site)
    assert {item["url"]: item["state"] for item in items if "markdown" in item} == dict.fromkeys(
        urls, "unchanged"
    )
    assert len(items) == 5
    assert report["documents"]["unchanged"] == 3


def components(settings: Settings, name: str) -> dict[str, int | None]:
    loaded = {load_object(each): number for each, number in settings.getdict(name).items()}
    return {each.__name__: number for each, number in loaded.items()}


def test_what_the_project_sets_itself_stays() -> None:
    settings = Settings({"CHUNK_TARGET_TOKENS": 99, "LOG_FORMATTER": "scrapy.logformatter.LogFormatter"})
    settings.set("ITEM_PIPELINES", {"ragcrawler.pipelines.convert.ConvertPipeline": 5}, "project")
    Ragcrawler().update_settings(settings)
    assert settings.getint("CHUNK_TARGET_TOKENS") == 99
    assert settings.getint("CHUNK_MAX_TOKENS") == 0
    assert settings.get("LOG_FORMATTER") == "scrapy.logformatter.LogFormatter"
    assert components(settings, "ITEM_PIPELINES") == {
        "ConvertPipeline": 5,
        "ChunkPipeline": 920,
        "SummarizePipeline": 930,
        "EmbedPipeline": 940,
        "UpsertPipeline": 950,
    }


def test_its_manners_are_those_of_the_project() -> None:
    settings, plain = Settings(), Settings()
    Ragcrawler().update_settings(settings)
    for name in (
        "SCHEDULER",
        "DOWNLOADER",
        "DOWNLOADER_MIDDLEWARES",
        "USER_AGENT",
        "ROBOTSTXT_OBEY",
        "FEEDS",
    ):
        assert settings.get(name) == plain.get(name), name
    assert settings.get("SPIDER_MODULES") == []


@pytest.mark.parametrize(
    ("chosen", "feeds"),
    [
        ({}, {"FeedExporter": None, "DocumentFeeds": 0}),
        ({"scrapy.extensions.feedexport.FeedExporter": None}, {"FeedExporter": None}),
        ({"scrapy.extensions.feedexport.FeedExporter": 5}, {"FeedExporter": None, "DocumentFeeds": 0}),
    ],
)
def test_feeds_are_whole_unless_the_project_has_none(
    chosen: dict[str, Any], feeds: dict[str, int | None]
) -> None:
    settings = Settings()
    settings.set("EXTENSIONS", chosen, "project")
    Ragcrawler().update_settings(settings)
    found = components(settings, "EXTENSIONS")
    assert {name: found[name] for name in ("FeedExporter", "DocumentFeeds") if name in found} == feeds
