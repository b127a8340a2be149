"""An export of FireCrawl as the source of a crawl."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firecrawl_export import FOOT, HEAD, write_export

from ragcrawler.chunking import open_counter
from tests.commands.test_validate_command import Validated


def test_an_export_is_stored_its_broken_records_are_named_and_its_cut_ends_it(
    crawl_with: Callable[..., Any], tmp_path: Path
) -> None:
    words = "The pump is checked each morning, and what it shows is written into the book of the station."

    def record(number: int, **metadata: Any) -> dict[str, Any]:
        url = f"https://docs.example.org/{number}"
        text = (
            f"[Logo](/)\n\n*   [Start](/)\n\n## Section {number}\n\n{number} {words}\n\n"
            f"## Short section {number}\n\nTen words.\n\n* * *\n\n[GitHub](/g)"
        )
        return {"markdown": text, "metadata": {"sourceURL": url, "title": f"Page {number}", **metadata}}

    records = [*(record(n) for n in range(6)), record(6, pageStatusCode=404), {"metadata": {}}, record(0)]
    whole = json.dumps(
        {"base_url": "https://docs.example.org/", "timestamp": "2024-08-30T07:30:45", "data": records}
    )
    export = tmp_path / "export.json"
    export.write_text(whole[:-2] + ', {"markdown": "cut')
    run = crawl_with(
        "firecrawl",
        path=str(export),
        output=str(tmp_path / "chunks.json"),
        CHUNK_TOKENIZER="tiktoken:cl100k_base",
    )
    assert sorted(document["title"] for document in run.documents) == [f"Page {n}" for n in range(6)]
    assert run.skipped == {"http_404": 1, "listed_twice": 1}
    assert [(failure["url"], failure["reason"]) for failure in run.failures] == [
        ("export.json#7", "broken_record"),
        ("export.json#9", "cut_export"),
    ]
    assert run.report["exit_code"] == 4
    assert run.report["disagreements"] == []
    chunks = json.loads((tmp_path / "chunks.json").read_text(encoding="utf-8"))
    assert [chunk["source_url"] for chunk in chunks] == [
        f"https://docs.example.org/{n}" for n in range(6) for _ in range(2)
    ]
    assert len(chunks) == 2 * 6  # whole sections, however short: the profile of specification 003
    counted = open_counter("tiktoken:cl100k_base").count_batch([chunk["content"] for chunk in chunks])
    assert [chunk["token_count"] for chunk in chunks] == counted
    assert all("Logo" not in chunk["content"] and "GitHub" not in chunk["content"] for chunk in chunks)
    assert {document["fetched_at"] for document in run.documents} == {"2024-08-30T07:30:45+00:00"}


def test_a_crawl_that_was_exported_and_read_back_has_the_same_chunks(
    site: Any, crawl: Callable[..., Any], crawl_with: Callable[..., Any], tmp_path: Path
) -> None:
    """The short version of `benchmarks/firecrawl_round_trip.py`."""
    pages = [f"/p{number}.html" for number in range(8)]
    site.page("/", *pages)
    for path in pages:
        site.answers[path] = (200, {}, _manual(path[1:3]).encode())
    crawled = crawl(domains=site.url, OUTPUT_DIR=str(tmp_path / "site"))
    export = tmp_path / "export.json"
    broken = write_export(export, crawled.documents, every=2)

    first, second = (crawl_with("firecrawl", path=str(export), CHUNK_PROFILE="structure") for _ in range(2))

    assert len(crawled.documents) == len(first.documents) == 9
    before, after = _texts(crawled), _texts(first)
    assert (before & after).total() >= 0.98 * max(before.total(), after.total())
    assert not any(text in HEAD + FOOT for text in after)
    assert [(row["url"], row["reason"]) for row in first.failures] == [
        (f"export.json#{index}", "broken_record") for index in broken
    ]
    assert len(broken) == 4
    assert second.stats.get("ragcrawler/embed/texts", 0) == 0
    assert second.skipped == {"unchanged": 9}
    validated = Validated(second.output)
    assert (validated.code, validated.rows[-1]["sums"]["documents"]) == (0, 9)


def _manual(name: str) -> str:
    """A page with sections, whose words occur nowhere else."""
    sections = "".join(
        f"<h2>Part {part} of {name}</h2><p>{' '.join(f'{name}word{part}{n}' for n in range(40))}.</p>"
        f"<ul><li>One thing of {name}.</li><li>Another of {part}.</li></ul><pre>run {name} {part}</pre>"
        for part in range(4)
    )
    main = f"<main><h1>Manual {name}</h1>{sections}</main>"
    return f"<html><head><title>Manual {name}</title></head><body>{main}</body></html>"


def _texts(run: Any) -> Counter[str]:
    return Counter(chunk["content"] for document in run.documents for chunk in document["chunks"])
