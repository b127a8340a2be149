"""`scrapy crawl`: exit codes, one clear message for what is wrong, a prompt end on Ctrl-C."""

import json
import re
import signal
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WORDS = "Water the seedlings in the early morning, and check the pressure of the pump once a week. "


def html(*links: str, words: str = WORDS) -> bytes:
    anchors = "".join(f'<a href="{link}">{link}</a>' for link in links)
    return f"<html><body><main><h1>Page</h1><p>{words}</p></main>{anchors}</body></html>".encode()


def one_message(stderr: str) -> str:
    assert "Traceback" not in stderr
    lines = [line for line in stderr.splitlines() if line.strip()]
    assert len(lines) == 1, stderr
    return lines[0]


def report(output: Path) -> dict[str, Any]:
    (path,) = output.glob("runs/*/report.json")
    return dict(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("arguments", "settings", "message"),
    [
        (["seeds"], {}, "the list of domains is empty"),
        (["seeds", "-a", "domains="], {}, "the list of domains is empty"),
        (["seeds", "-a", "domains=not a domain"], {}, "'not a domain' is no domain"),
        (["seeds", "-a", "domain=a.org"], {}, "-a domain=... is unknown"),
        (["sedes", "-a", "domains=a.org"], {}, "there is no spider 'sedes'"),
        (["seeds", "-a", "domains=127.0.0.1"], {"CHUNK_MAX_TOKENS": "many"}, "CHUNK_MAX_TOKENS is 'many'"),
        (["seeds", "-a", "domains=127.0.0.1"], {"JUNK_URL_PATTERN": "("}, "JUNK_URL_PATTERN='('"),
        (["seeds", "-a", "domains=127.0.0.1"], {"JUNK_URL_KEEP": "fag"}, "JUNK_URL_KEEP is 'fag'"),
        (
            ["seeds", "-a", "domains=127.0.0.1"],
            {"ROTATING_PROXY_LIST": "socks5://a:1"},
            "ROTATING_PROXY_LIST",
        ),
        (["seeds", "-a", "domains=127.0.0.1"], {"OUTPUT_DIR": "/dev/null/x"}, "OUTPUT_DIR is '/dev/null/x'"),
        (["seeds", "-a", "domains=127.0.0.1"], {"EMBEDDING_MODEL": "BAAI/bge-bse"}, "BAAI/bge-bse"),
        (["seeds", "-a", "domains=127.0.0.1"], {"CHUNK_TARGET_TOKENS": "9000"}, "9000"),
        (["seeds", "-a", "domains=127.0.0.1"], {"QDRANT_URL": "http://127.0.0.1:1"}, "http://127.0.0.1:1"),
    ],
)
def test_what_cannot_begin_ends_with_one_message_and_code_1(
    scrapy: Any, arguments: list[str], settings: dict[str, str], message: str
) -> None:
    ended = scrapy.run("crawl", *arguments, **settings)
    assert message in one_message(ended.stderr)
    assert ended.returncode == 1
    assert ended.stdout == ""


def test_an_unknown_host_ends_with_code_3_and_stands_in_the_list(scrapy: Any) -> None:
    ended = scrapy.run("crawl", "seeds", "-a", "domains=https://docs.nowhere.example/")
    assert ended.returncode == 3
    assert "Traceback" not in ended.stderr
    assert report(scrapy.output)["pages"]["failed"] == {"unknown_host": 1}


def test_a_whole_crawl_ends_with_code_0_and_the_default_feed(scrapy: Any, serve: Callable[..., str]) -> None:
    url = serve(lambda path: (404, b"") if path == "/robots.txt" else (200, html("/a")))
    ended = scrapy.run("crawl", "seeds", "-a", f"domains={url}")
    assert ended.returncode == 0, ended.stderr
    (feed,) = scrapy.output.glob("runs/*/documents.jsonl")
    assert json.loads(feed.read_text(encoding="utf-8").splitlines()[0])["url"] == f"{url}/"


def test_what_was_lost_is_said_in_the_end_and_what_was_left_out_is_not(
    scrapy: Any, serve: Callable[..., str]
) -> None:
    pages = {"/": (200, html("/broken", "/missing", "/picture.png")), "/broken": (500, b"")}
    ended = scrapy.run(
        "crawl",
        "seeds",
        "-a",
        f"domains={serve(lambda path: pages.get(path, (404, b'')))}",
        LOG_LEVEL="ERROR",
    )
    assert ended.returncode == 4
    assert re.fullmatch(r"Some pages were lost \(http_500 1\): see \S+report\.md\n", ended.stderr)


def test_a_feed_that_the_user_names_is_written(
    scrapy: Any, serve: Callable[..., str], tmp_path: Path
) -> None:
    url = serve(lambda path: (404, b"") if path == "/robots.txt" else (200, html()))
    ended = scrapy.run("crawl", "seeds", "-a", f"domains={url}", "-O", str(tmp_path / "mine.json"))
    assert ended.returncode == 0, ended.stderr
    (document,) = json.loads((tmp_path / "mine.json").read_text(encoding="utf-8"))
    assert "vectors" not in document["chunks"][0]


def test_a_store_held_by_another_process_is_named_with_that_process(
    scrapy: Any, serve: Callable[..., str]
) -> None:
    import os

    from ragcrawler.stores import CollectionModels, StoreConfig, open_store

    config = StoreConfig(folder=scrapy.output / "qdrant", collection="ragcrawler")
    with open_store(config) as store:
        store.create(CollectionModels("hashing/384", 384, "hashing/sparse"))
        ended = scrapy.run("crawl", "seeds", "-a", f"domains={serve(lambda _: (200, html()))}")
    assert str(os.getpid()) in one_message(ended.stderr)
    assert ended.returncode == 1


def test_a_crawl_waits_for_the_collection_as_long_as_it_is_told(
    scrapy: Any, serve: Callable[..., str]
) -> None:
    from ragcrawler.stores import CollectionModels, StoreConfig, open_store

    url = serve(lambda path: (404, b"") if path == "/robots.txt" else (200, html()))
    with open_store(StoreConfig(folder=scrapy.output / "qdrant", collection="ragcrawler")) as store:
        store.create(CollectionModels("hashing/384", 384, "hashing/sparse"))
        started = scrapy.start("crawl", "seeds", "-a", f"domains={url}", COLLECTION_WAIT_SECONDS="60")
        said = started.stderr.readline()
    assert "This crawl waits for it, for 60 s at the most" in said
    _, stderr = started.communicate(timeout=120)
    assert started.returncode == 0, stderr
    assert report(scrapy.output)["collection_points"] == 1


def test_another_model_than_the_collections_is_refused_with_both_names(
    scrapy: Any, serve: Callable[..., str]
) -> None:
    url = serve(lambda path: (404, b"") if path == "/robots.txt" else (200, html()))
    assert scrapy.run("crawl", "seeds", "-a", f"domains={url}").returncode == 0
    ended = scrapy.run("crawl", "seeds", "-a", f"domains={url}", EMBEDDING_MODEL="hashing/128")
    message = one_message(ended.stderr)
    assert "hashing/384" in message
    assert "hashing/128" in message
    assert scrapy.run("crawl", "seeds", "-a", f"domains={url}", EMBEDDING_MODEL="auto").returncode == 0


def test_a_hub_that_hangs_costs_its_time_out_and_no_more(
    scrapy: Any, serve: Callable[..., str], tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = serve(lambda path: (404, b"") if path == "/robots.txt" else (200, html()))
        ended = scrapy.run(
            *("crawl", "seeds", "-a", f"domains={url}"),
            EMBEDDING_MODEL="BAAI/bge-small-en-v1.5",
            HF_HUB_OFFLINE="0",
            HUB_TIMEOUT_SECONDS="0.5",
            HF_ENDPOINT=f"http://127.0.0.1:{silent.getsockname()[1]}",
            MODEL_CACHE_DIR=str(tmp_path / "models"),
        )
    assert "BAAI/bge-small-en-v1.5" in one_message(ended.stderr)
    assert ended.returncode == 1


def test_the_key_of_the_store_never_shows(scrapy: Any) -> None:
    ended = scrapy.run(
        *("crawl", "seeds", "-a", "domains=127.0.0.1"),
        QDRANT_URL="http://127.0.0.1:1",
        QDRANT_API_KEY="s3cret-key",
        LOG_LEVEL="DEBUG",
    )
    written = b"".join(path.read_bytes() for path in scrapy.output.rglob("*") if path.is_file())
    assert b"s3cret-key" not in (ended.stderr + ended.stdout).encode() + written


def test_a_crawl_that_is_stopped_while_its_pipelines_open_leaves_a_report(
    scrapy: Any, serve: Callable[..., str]
) -> None:
    """As scrapyd cancels a job."""
    domains = f"domains={serve(lambda _: (200, html()))}"
    process = scrapy.start("crawl", "seeds", "-a", domains, LOG_LEVEL="INFO")
    assert any("Spider opened" in line for line in process.stderr)
    process.send_signal(signal.SIGTERM)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert report(scrapy.output)["end"] == "shutdown"


def test_a_refused_argument_stands_in_the_log_file_of_a_job(scrapy: Any, tmp_path: Path) -> None:
    ended = scrapy.run("crawl", "seeds", "-a", "domain=a.org", LOG_FILE=str(tmp_path / "job.log"))
    assert ended.returncode == 1
    assert "Error: -a domain=... is unknown" in ended.stderr
    (line,) = [line for line in (tmp_path / "job.log").read_text("utf-8").splitlines() if " ERROR: " in line]
    assert line.partition(" ERROR: ")[2].startswith("-a domain=... is unknown")


def test_one_ctrl_c_ends_a_crawl_with_everything_stored_that_was_embedded(
    scrapy: Any, serve: Callable[..., str]
) -> None:
    hold = threading.Event()

    def answer(path: str) -> tuple[int, bytes]:
        if path == "/robots.txt":
            return 404, b""
        number = int(path.strip("/") or 0)
        if number >= 40:
            hold.wait(60)  # a site that answers no more must not hold up the end
        return 200, html(f"/{2 * number + 1}", f"/{2 * number + 2}", words=f"{WORDS} Bed {number}. " * 5)

    process = scrapy.start(
        "crawl", "seeds", "-a", f"domains={serve(answer)}", DOWNLOAD_TIMEOUT="100", LOG_LEVEL="DEBUG"
    )
    assert any("Stored: " in line for line in process.stderr)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=15)
    hold.set()
    assert process.returncode == 130, stderr
    numbers = report(scrapy.output)
    assert numbers["end"] == "shutdown"
    assert numbers["disagreements"] == []
    assert numbers["pages"]["skipped"]["shutdown"] > 0
    chunks, documents = numbers["chunks"], numbers["documents"]
    unfinished = numbers["stats"].get("ragcrawler/upsert/unfinished", 0)
    assert numbers["collection_points"] == chunks["points"] + unfinished > 0
    assert (chunks["lost"], documents["same_text"]) == (0, 0)
    assert documents["new"] == numbers["pages"]["fetched"] == sum(numbers["converters"].values())
    course = numbers["activity"]["series"]["counts"]
    assert sum(course["pages"]) == numbers["pages"]["fetched"]
    assert sum(course["chunks"]) == chunks["points"]
