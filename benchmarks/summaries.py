"""Whether summaries that are embedded with their passages help the search: the table of docs/retrieval.md.

    python benchmarks/summaries.py --site NAME FOLDER QUERIES ... [--most-chunks 1500] [--setting NAME=VALUE]

The mechanism is judged, not a language model: an extractive stand-in writes the summaries, either the first
two sentences of a passage, or the two that TextRank takes for its centre (Mihalcea, Tarau 2004: PageRank
over the words that sentences share). FOLDER holds the HTML files of a site, QUERIES is as in
`retrieval_quality.py`. Pages with answers come first, then others in the order of their names' hashes, until
there are --most-chunks. Chunks are the same in all rows; only what is embedded differs.

recall@5     share of a query's gold pages among the five best chunks
"""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from itertools import islice, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from retrieval_quality import page, print_table, site_scores

from ragcrawler.bootstrap.models.collection_embedders import (
    collection_models,
    embedding_counter,
    open_collection_embedders,
    preparation_for,
)
from ragcrawler.bootstrap.models.vector_cache import open_vector_cache
from ragcrawler.chunking import with_summary
from ragcrawler.chunking.splitters.sentences import sentence_ends
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.config.models.search import search_options
from ragcrawler.conversion import ConversionError
from ragcrawler.embedding.embedders import Embedders
from ragcrawler.items import Page, SemanticChunk
from ragcrawler.retrieval import CollectionRetriever
from ragcrawler.stores import StoreConfig, open_store

SENTENCES, HITS, DAMPING, ROUNDS, AT_ONCE = 2, 30, 0.85, 30, 64
Summarise = Callable[[str], str]


def sentences(text: str) -> list[str]:
    plain = re.sub(r"```.*?```|[#*_`|>]+", " ", text, flags=re.DOTALL)
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", plain)
    ends = [0, *sentence_ends(plain), len(plain)]
    found = [" ".join(plain[start:end].split()) for start, end in pairwise(ends)]
    return [each for each in found if len(each.split()) > 2]


def first_sentences(text: str) -> str:
    return " ".join(sentences(text)[:SENTENCES])


def text_rank(text: str) -> str:
    """Sentences by PageRank, in their order; alike by shared words over logarithms of lengths."""
    found = sentences(text)
    words = [set(re.findall(r"\w{3,}", each.lower())) for each in found]
    if len(found) <= SENTENCES:
        return " ".join(found)
    sizes = np.log([len(each) + 1 for each in words]) + 1e-9
    shared = np.array([[len(one & other) for other in words] for one in words], float)
    similar = shared / (sizes[:, None] + sizes[None, :])
    np.fill_diagonal(similar, 0)
    totals = similar.sum(axis=0)
    steps = np.divide(similar, totals, out=np.full_like(similar, 1 / len(found)), where=totals > 0)
    ranks = np.full(len(found), 1 / len(found))
    for _ in range(ROUNDS):
        ranks = (1 - DAMPING) / len(found) + DAMPING * steps @ ranks
    return " ".join(found[index] for index in sorted(np.argsort(-ranks)[:SENTENCES]))


WAYS: dict[str, Summarise] = {
    "without": lambda _: "",
    "first sentences": first_sentences,
    "TextRank": text_rank,
}


def chunks_of(
    folder: Path, queries: Sequence[Any], most: int, prepare: Callable[[Page], Any]
) -> list[SemanticChunk]:
    gold = {each["url"] for query in queries for each in query["gold"]}
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.html"))
    names.sort(key=lambda name: (name not in gold, sha256(name.encode()).digest()))
    chunks: list[SemanticChunk] = []
    for name in names:
        if len(chunks) >= most and name not in gold:
            break
        url = f"http://site.invalid/{name}"
        body = (folder / name).read_bytes()
        made = Page(
            id=sha256(url.encode()).hexdigest(),
            url=url,
            final_url=url,
            body=body,
            content_type="text/html",
            status=200,
            fetched_at="2026-01-01T00:00:00+00:00",
            depth=0,
            parent_url="",
        )
        try:
            chunks += prepare(made).document.chunks
        except ConversionError as error:
            print(f"{name}: {error}")
    return chunks


def embedded(chunks: Sequence[SemanticChunk], embedders: Embedders) -> Iterator[SemanticChunk]:
    waiting = iter(chunks)
    while batch := list(islice(waiting, AT_ONCE)):
        vectors = embedders.embed(batch)
        yield from (replace(chunk, vectors=each) for chunk, each in zip(batch, vectors, strict=True))


def scores(query: Any, hits: Sequence[Any]) -> dict[str, float]:
    gold = {each["url"] for each in query["gold"]}
    best = {page(hit) for hit in [hit for hit in hits if page(hit) not in query["exclude"]][:5]}
    return {"recall@5": len(gold & best) / len(gold)} | site_scores(query, hits)


def measure(name: str, folder: Path, file: Path, options: argparse.Namespace) -> None:
    queries = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    queries = [query for query in queries if query["kind"] in options.kinds.split(",")]
    values = project_settings(**dict(each.split("=", 1) for each in options.setting))
    configuration = Configuration.from_settings(values)
    rows: dict[str, dict[str, list[dict[str, float]]]] = defaultdict(lambda: defaultdict(list))
    with closing(open_vector_cache(configuration)) as cache:
        embedders = open_collection_embedders(configuration, None, cache)
        counter = embedding_counter(embedders)
        chunks = chunks_of(folder, queries, options.most_chunks, preparation_for(embedders, configuration))
        for way, summarise in WAYS.items():
            summarised = [
                with_summary(each, summarise(each.content), tokens=counter, model=embedders.name)
                for each in chunks
            ]
            with (
                TemporaryDirectory() as place,
                open_store(StoreConfig(folder=Path(place), collection="summaries")) as store,
            ):
                store.create(collection_models(embedders))
                points = embedded(summarised, embedders)
                while batch := list(islice(points, AT_ONCE)):
                    store.upsert(batch)
                store.optimize()
                retriever = CollectionRetriever(
                    store, embedders.dense, embedders.sparse, options=search_options(values)
                )
                for query in queries:
                    for mode in ("dense", "hybrid"):
                        hits = retriever.search(query["query"], HITS, mode=mode)  # type: ignore[arg-type]
                        rows[f"{query['kind']}, {len(chunks)} chunks"][f"{way}, {mode}"].append(
                            scores(query, hits)
                        )
            changed = sum(a.embed_text != b.embed_text for a, b in zip(chunks, summarised, strict=True))
            print(f"{name}, {way}: {changed} of {len(chunks)} chunks embedded with a summary", flush=True)
        print(f"\nmodels: {embedders.name}")
    for title, table in rows.items():
        count = len(next(iter(table.values())))
        print_table(f"{name}, {title}, {count} queries", dict(sorted(table.items(), key=_by_mode)))


def _by_mode(row: tuple[str, Any]) -> tuple[bool, int]:
    way, _, mode = row[0].partition(", ")
    return mode == "hybrid", list(WAYS).index(way)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--site", nargs=3, action="append", required=True, metavar=("NAME", "FOLDER", "QUERIES")
    )
    parser.add_argument("--most-chunks", type=int, default=1_500)
    parser.add_argument("--kinds", default="faq,name,synopsis")
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    for name, folder, queries in options.site:
        measure(name, Path(folder), Path(queries), options)


if __name__ == "__main__":
    main()
