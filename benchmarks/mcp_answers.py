"""Answers of the tools over stdio: budgets, ids that work, evidence a token beside a usual server's.

    uv run python benchmarks/mcp_answers.py --output output --questions 500

Questions are words of the collection's own passages; one is found where its text stands in the answer.
The usual shape is 5 hits, each with three passages below it, one before and two behind, without a budget.
"""

import argparse
import asyncio
import json
import os
import random
import sys
from collections.abc import Sequence
from importlib.metadata import distribution

import tiktoken
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters

from ragcrawler.bootstrap import open_retriever
from ragcrawler.items import SemanticChunk
from ragcrawler.retrieval import CollectionRetriever
from ragcrawler.retrieval.joining import join_contents

# Else tiktoken downloads its tables.
os.environ.setdefault(
    "TIKTOKEN_CACHE_DIR", str(distribution("litellm").locate_file("litellm/litellm_core_utils/tokenizers"))
)
USUAL_HITS, CHILDREN, BEFORE, AFTER = 5, 3, 1, 2


def questions(chunks: Sequence[SemanticChunk], number: int) -> list[tuple[str, SemanticChunk]]:
    """A run of 6 to 12 words of a passage, and the passage."""
    chooser, made = random.Random(1), []
    long = [chunk for chunk in chunks if len(chunk.content.split()) >= 20]
    for _ in range(number):
        chunk = chooser.choice(long)
        words = chunk.content.split()
        start = chooser.randrange(max(1, len(words) - 12))
        made.append((" ".join(words[start : start + chooser.randint(6, 12)]), chunk))
    return made


def children(retriever: CollectionRetriever, chunk: SemanticChunk) -> list[SemanticChunk]:
    """The first passages behind it that stand below a heading of its section."""
    found, last = [], chunk
    while len(found) < CHILDREN and last.next_chunk_id:
        (last,) = retriever.store.get([last.next_chunk_id])
        depth = len(chunk.section_path)
        if last.section_path[:depth] != chunk.section_path or len(last.section_path) == depth:
            break
        found.append(last)
    return found


def usual_answers(settings: dict[str, str], asked: Sequence[tuple[str, SemanticChunk]]) -> list[str]:
    answers = []
    with open_retriever(**settings) as retriever:
        for question, _ in asked:
            texts = []
            for hit in retriever.search(question, USUAL_HITS):
                stretch = [hit.chunk, *children(retriever, hit.chunk)]
                for _ in range(BEFORE):
                    stretch[:0] = retriever.store.get([stretch[0].prev_chunk_id])
                for _ in range(AFTER):
                    stretch += retriever.store.get([stretch[-1].next_chunk_id])
                texts.append(join_contents(stretch))
            answers.append("\n\n".join(texts))
    return answers


async def ask(
    server: StdioServerParameters, asked: Sequence[tuple[str, SemanticChunk]], mode: str
) -> dict[str, object]:
    count = tiktoken.get_encoding("cl100k_base").encode
    over = found = tokens = fetched = failed = 0
    async with Client(server, mode=mode) as client:
        for number, (question, chunk) in enumerate(asked):
            budget = (500, 1_000, 2_000, 4_000)[number % 4] if mode == "legacy" else 2_000
            result = await client.call_tool("search", {"query": question, "max_tokens": budget})
            text = result.content[0].text
            used = len(count(text))
            tokens += used
            over += used > budget
            results = result.structured_content["results"]
            found += any(each["id"] == chunk.id for each in results)
            for each in results:
                got = await client.call_tool("fetch", {"id": each["id"]})
                fetched += 1
                failed += got.is_error or len(count(got.content[0].text)) > 2_000
    return {
        "questions": len(asked),
        "over_budget": over,
        "found": found,
        "tokens": tokens,
        "fetched": fetched,
        "fetches_failed_or_over": failed,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", default="output")
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    settings = {"OUTPUT_DIR": options.output, **dict(each.split("=", 1) for each in options.set)}
    with open_retriever(**settings) as retriever:
        asked = questions(sorted(retriever.store.scroll(), key=lambda chunk: chunk.id), options.questions)
    usual = usual_answers(settings, asked)
    count = tiktoken.get_encoding("cl100k_base").encode
    usual_tokens = sum(len(count(text)) for text in usual)
    usual_found = sum(chunk.content in text for text, (_, chunk) in zip(usual, asked, strict=True))
    given = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    server = StdioServerParameters(command=sys.executable, args=["-m", "scrapy", "mcp", *given])
    ours = {mode: asyncio.run(ask(server, asked, mode)) for mode in ("auto", "legacy")}
    modern = ours["auto"]
    ratio = (modern["found"] / modern["tokens"]) / (usual_found / usual_tokens)
    print(
        json.dumps(
            {
                **ours,
                "usual": {"found": usual_found, "tokens": usual_tokens},
                "evidence_a_token_beside_the_usual": round(ratio, 2),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
