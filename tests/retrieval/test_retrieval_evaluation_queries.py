"""Sets of judged queries: files with gold URLs, folders with a corpus, and drafts."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from ragcrawler.items import SemanticChunk
from ragcrawler.maintenance.evaluation import read_qrels
from ragcrawler.retrieval.evaluation import JudgedQuery, QuerySetError
from ragcrawler.retrieval.evaluation.beir import read_beir
from ragcrawler.retrieval.evaluation.drafting import drafted_queries
from ragcrawler.retrieval.evaluation.gold_urls import found_urls
from ragcrawler.retrieval.evaluation.query_file import read_query_file
from ragcrawler.urls.canonical import canonical_url

SITE = "https://docs.example.org"


def query_file(folder: Path, *lines: str) -> Path:
    path = folder / "queries.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_line_gives_a_query_and_urls_are_written_as_a_collection_writes_them(tmp_path: Path) -> None:
    path = query_file(
        tmp_path,
        '{"query": "rotate logs", "gold": ["HTTPS://Docs.Example.org:443/logs#caf%C3%A9"]}',
        "",
        json.dumps(
            {"id": "b", "query": "paths", "gold": {f"{SITE}/a": 2, f"{SITE}/b#c": 1}, "drafted": True}
        ),
    )
    assert read_query_file(path, canonical_url) == [
        JudgedQuery("1", "rotate logs", {f"{SITE}/logs#café": 1}),
        JudgedQuery("b", "paths", {f"{SITE}/a": 2, f"{SITE}/b#c": 1}, is_drafted=True),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("not json", "line 2 is no query"),
        ("[]", "line 2 is no query"),
        ('{"query": "no gold"}', "'gold'"),
        ('{"query": " ", "gold": ["https://a.example/"]}', "must not be empty"),
        ('{"query": "q", "gold": []}', "must not be empty"),
        ('{"query": 5, "gold": ["https://a.example/"]}', "must not be empty"),
        ('{"query": "q", "gold": "https://a.example/"}', "line 2 is no query"),
        ('{"query": "q", "gold": ["guide.html"]}', "no absolute URL"),
        ('{"query": "q", "gold": {"https://a.example/": 0}}', "from 1"),
        ('{"query": "q", "gold": {"https://a.example/": "high"}}', "from 1"),
        ('{"id": "1", "query": "q", "gold": ["https://a.example/"]}', "two queries .* have the id '1'"),
    ],
)
def test_a_line_that_is_no_query_is_named_with_what_would_be_right(
    tmp_path: Path, line: str, reason: str
) -> None:
    path = query_file(tmp_path, '{"query": "fine", "gold": ["https://a.example/"]}', line)
    with pytest.raises(QuerySetError, match=reason):
        read_query_file(path, canonical_url)


def test_judgements_of_a_pool_are_added_to_the_gold_and_win_over_it(tmp_path: Path) -> None:
    pool = tmp_path / "pool.qrels"
    pool.write_text(
        f"a 0 HTTPS://Docs.Example.org:443/logs#caf%C3%A9 3\na Q0 {SITE}/spam -2\n\n"
        f"b\t0\t{SITE}/b\t0\nb 0 {SITE}/c 1\nb 0 {SITE}/c 0\nother 0 {SITE}/d 1\n"
    )
    path = query_file(
        tmp_path,
        '{"id": "a", "query": "rotate logs"}',
        json.dumps({"id": "b", "query": "backups", "gold": [f"{SITE}/b", f"{SITE}/e"]}),
        '{"id": "c", "query": "nobody judged it"}',
    )
    found = read_query_file(path, canonical_url, read_qrels(pool, canonical_url))
    assert [query.grades for query in found] == [
        {f"{SITE}/logs#café": 3, f"{SITE}/spam": 0},
        {f"{SITE}/b": 0, f"{SITE}/e": 1, f"{SITE}/c": 1},
        {},
    ]
    assert [query.relevant for query in found] == [[f"{SITE}/logs#café"], [f"{SITE}/e", f"{SITE}/c"], []]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "there are no judgements"),
        (f"a 0 {SITE}/a 1\na {SITE}/a 1", "line 2 is no judgement"),
        (f"a 0 {SITE}/a high", "line 1 is no judgement"),
        ("a 0 guide.html 1", "no absolute URL"),
        (f"z 0 {SITE}/a 1", "no judgement is of a query of queries.jsonl"),
    ],
)
def test_a_file_that_holds_no_judgements_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    pool = tmp_path / "pool.qrels"
    pool.write_text(text)
    path = query_file(tmp_path, '{"id": "a", "query": "rotate logs"}')
    with pytest.raises(QuerySetError, match=reason):
        read_query_file(path, canonical_url, read_qrels(pool, canonical_url))
    with pytest.raises(QuerySetError, match="cannot read the judgements"):
        read_qrels(tmp_path / "missing", canonical_url)


def test_a_file_without_queries_and_one_that_is_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(QuerySetError, match="there are no queries"):
        read_query_file(query_file(tmp_path, "", " "), canonical_url)
    with pytest.raises(QuerySetError, match="cannot read"):
        read_query_file(tmp_path / "missing.jsonl", canonical_url)


def chunk(link: str, *, aliases: tuple[str, ...] = (), heading: str = "") -> SemanticChunk:
    return SemanticChunk(
        id=link,
        chunk_id=link,
        document_id=link.split("#", maxsplit=1)[0],
        content="text",
        content_hash="",
        token_count=1,
        embed_text="text",
        start=0,
        end=4,
        position=0,
        source_url=link.split("#", maxsplit=1)[0],
        chunk_link=link,
        aliases=aliases,
        parent_section=heading,
    )


@pytest.mark.parametrize(
    ("gold", "found"),
    [
        # Pages: three chunks of one page are one result.
        ([f"{SITE}/b"], [f"{SITE}/a", f"{SITE}/b", f"{SITE}/c"]),
        # Places: each place of a page is a result of its own.
        ([f"{SITE}/a#two"], [f"{SITE}/a#one", f"{SITE}/a#two", f"{SITE}/b#one", f"{SITE}/c"]),
        # A page and a place of another, together.
        ([f"{SITE}/a", f"{SITE}/b#one"], [f"{SITE}/a", f"{SITE}/b#one", f"{SITE}/c"]),
        # Known by another address.
        ([f"{SITE}/old"], [f"{SITE}/a", f"{SITE}/b", f"{SITE}/old"]),
        ([f"{SITE}/old#one"], [f"{SITE}/a#one", f"{SITE}/a#two", f"{SITE}/b#one", f"{SITE}/c"]),
    ],
)
def test_hits_are_named_as_the_gold_names_them(gold: list[str], found: list[str]) -> None:
    hits = [
        chunk(f"{SITE}/a#one"),
        chunk(f"{SITE}/a#two"),
        chunk(f"{SITE}/a#one"),
        chunk(f"{SITE}/b#one"),
        chunk(f"{SITE}/c", aliases=(f"{SITE}/old",)),
    ]
    assert found_urls(hits, dict.fromkeys(gold, 1)) == found


def test_an_escaped_anchor_of_a_chunk_is_that_of_the_gold() -> None:
    assert found_urls([chunk(f"{SITE}/a#caf%C3%A9")], {f"{SITE}/a#café": 1}) == [f"{SITE}/a#café"]


def beir_folder(folder: Path, *, packed: bool, flat: bool) -> Path:
    corpus = [
        {"_id": "d1", "title": "Logs", "text": "They are rotated."},
        {"_id": "d2", "title": None, "text": "Backups."},
    ]
    content = "\n".join(map(json.dumps, corpus)).encode()
    (folder / ("corpus.jsonl.gz" if packed else "corpus.jsonl")).write_bytes(
        gzip.compress(content) if packed else content
    )
    queries = [
        {"_id": "q1", "text": "logs?"},
        {"_id": "q2", "text": "unjudged"},
        {"_id": "q3", "text": "zero"},
    ]
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)))
    qrels = folder / ("qrels.tsv" if flat else "qrels/test.tsv")
    qrels.parent.mkdir(exist_ok=True)
    qrels.write_text("query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq3\td1\t0\n")
    return folder


@pytest.mark.parametrize(("packed", "flat"), [(False, False), (True, True)])
def test_a_folder_of_beir_gives_documents_and_the_queries_with_something_relevant(
    tmp_path: Path, packed: bool, flat: bool
) -> None:
    corpus = read_beir(beir_folder(tmp_path, packed=packed, flat=flat))
    assert corpus.documents == {"d1": ("Logs", "They are rotated."), "d2": ("", "Backups.")}
    assert corpus.queries == [JudgedQuery("q1", "logs?", {"d1": 2})]


def test_a_folder_that_lacks_a_file_or_a_judgement_says_so(tmp_path: Path) -> None:
    with pytest.raises(QuerySetError, match=r"corpus\.jsonl"):
        read_beir(tmp_path)
    folder = beir_folder(tmp_path, packed=False, flat=True)
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1 d1 1\n")
    with pytest.raises(QuerySetError, match="no set in the layout of BEIR"):
        read_beir(folder)
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t0\n")
    with pytest.raises(QuerySetError, match=r"no query of .* has a relevant document"):
        read_beir(folder)


def test_a_draft_asks_for_headings_that_stand_at_one_place_only() -> None:
    chunks = [
        chunk(f"{SITE}/a#rotate", heading="Rotating the logs"),
        chunk(f"{SITE}/a#rotate", heading="Rotating the logs"),
        chunk(f"{SITE}/a#also", heading="See also"),
        chunk(f"{SITE}/b#also", heading="See Also"),
        chunk(f"{SITE}/b#options", heading="Options"),
        chunk(f"{SITE}/c", heading="Without an anchor"),
        replace(chunk(f"{SITE}/d#top"), parent_section=""),
    ]
    assert list(drafted_queries(chunks, 10)) == [
        {"id": "drafted-1", "query": "Rotating the logs", "gold": [f"{SITE}/a#rotate"], "drafted": True}
    ]


@pytest.mark.parametrize(
    ("heading", "query"),
    [
        ("10.2. Version 4.6.2", None),
        ("4.6.2 (2024-01-02)", None),
        ("Release 3.12.0rc1", None),
        ("What's new in version 3.2", None),
        ("Changes since v2.1.0", None),
        ("12 34", None),
        ("10.2. Rotating the logs", "Rotating the logs"),
        ("A.3 Rotating the logs", "Rotating the logs"),
        ("7) Rotating the logs", "Rotating the logs"),
        ("Chapter 7: Rotating the logs", "Rotating the logs"),
        ("3 ways to rotate logs", "3 ways to rotate logs"),
        ("Upgrading from Python 2.7 to 3", "Upgrading from Python 2.7 to 3"),
        ("A guide to logs", "A guide to logs"),
    ],
)
def test_a_draft_asks_for_no_section_number_and_no_bare_version(heading: str, query: str | None) -> None:
    drafted = list(drafted_queries([chunk(f"{SITE}/a#x", heading=heading)], 10))
    assert [each["query"] for each in drafted] == ([query] if query else [])


def test_a_draft_is_the_same_on_every_run_and_no_longer_than_asked(tmp_path: Path) -> None:
    chunks = [chunk(f"{SITE}/a#{number}", heading=f"Chapter number {number}") for number in range(50)]
    first = list(drafted_queries(chunks, 7))
    assert first == list(drafted_queries(reversed(chunks), 7))
    assert len(first) == 7
    path = query_file(tmp_path, *map(json.dumps, first))
    assert all(query.is_drafted for query in read_query_file(path, canonical_url))
