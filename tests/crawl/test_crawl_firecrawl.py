"""An export of FireCrawl as the source of a crawl."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ragcrawler.chunking import open_counter


def test_an_export_is_stored_its_broken_records_are_named_and_its_cut_ends_it(
    crawl_with: Callable[..., Any], tmp_path: Path
) -> None:
    words = "The pump is checked each morning, and what it shows is written into the book of the station."

    def record(number: int, **metadata: Any) -> dict[str, Any]:
        url = f"https://docs.example.org/{number}"
        text = (
            f"[Logo](/)\n\n*   [Start](/)\n\n## Section {number}\n\n{number} {words}\n\n* * *\n\n[GitHub](/g)"
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
    assert len(chunks) == 6
    counted = open_counter("tiktoken:cl100k_base").count_batch([chunk["content"] for chunk in chunks])
    assert [chunk["token_count"] for chunk in chunks] == counted
    assert all("Logo" not in chunk["content"] and "GitHub" not in chunk["content"] for chunk in chunks)
    assert {document["fetched_at"] for document in run.documents} == {"2024-08-30T07:30:45+00:00"}
