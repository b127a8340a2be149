"""The cost of chunking, measured against parsing and tokenising the same text once in the same run.

    python benchmarks/chunking_speed.py FOLDER_OF_MARKDOWN TOKENIZER_JSON [--limit 400] [--rounds 5]

Prints CPU seconds a round (the best of all rounds, the three jobs taking turns) and their ratio.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from markdown_it import MarkdownIt
from tokenizers import Tokenizer

from ragcrawler.chunking import ChunkingConfig, TokenizerCounter, chunk_markdown


def cpu_seconds(job: Callable[[], object]) -> float:
    begin = time.process_time()
    job()
    return time.process_time() - begin


def main() -> None:
    form = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("tokenizer", type=Path)
    arguments.add_argument("--limit", type=int, default=400)
    arguments.add_argument("--rounds", type=int, default=5)
    options = arguments.parse_args()

    documents = [file.read_bytes().decode("utf-8") for file in sorted(options.folder.glob("*.md"))]
    size = sum(len(document.encode()) for document in documents)
    parser = MarkdownIt("commonmark").enable("table").disable("inline")
    tokenizer = Tokenizer.from_file(str(options.tokenizer))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    config = ChunkingConfig(target_tokens=options.limit, max_tokens=options.limit)
    counter = TokenizerCounter(options.tokenizer, limit_tokens=max(512, options.limit + 2))
    jobs: dict[str, Callable[[], object]] = {
        "parse": lambda: [parser.parse(document) for document in documents],
        "tokenise": lambda: [tokenizer.encode(document, add_special_tokens=False) for document in documents],
        "chunk": lambda: [chunk_markdown(document, config=config, tokens=counter) for document in documents],
    }
    best = dict.fromkeys(jobs, float("inf"))
    for _ in range(options.rounds):
        for name, job in jobs.items():
            best[name] = min(best[name], cpu_seconds(job))
    for name, seconds in best.items():
        print(f"{name:10s} {seconds:7.3f} s  {size / 1e6 / seconds:6.2f} MB/s")
    print(f"chunk / (parse + tokenise) = {best['chunk'] / (best['parse'] + best['tokenise']):.2f}")


if __name__ == "__main__":
    main()
