"""How well chunks bring back the sections of documents whose headings were taken away.

    python benchmarks/chunking_headings.py SITE_FOLDER... --sizes 190,198,206
        --chunker 'scrapy chunk {documents} --output {chunks} --max-tokens {size}' [--chunker ...]

Each folder is a site: HTML or Markdown pages. A page becomes text without headings; its headings become the
questions, and what stood directly under each is what should come back. A heading counts if it has two words
or more, is not another one's, and has 200 to 3,000 characters under it. Each command cuts the folder
`{documents}` and writes NAME.md.jsonl for each NAME.md into `{chunks}`, with `start`, `end` and `embed_text`;
two checkouts compare by `uv --project OTHER run scrapy chunk ...`.

Prints for each site and chunker, as means over the sizes: characters a chunk; recall and IoU of the five best
chunks of the site, in percent of characters; and `evidence`, the share of the section among the first 4,000
characters that come back, which does not depend on the chunks' size. Below it stand the differences to the
first chunker, paired by question, with bootstrap intervals of 95 %.
"""

import argparse
import json
import re
import shlex
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragcrawler.chunking.parsing.elements import ElementType
from ragcrawler.chunking.parsing.parser import MarkdownParser
from ragcrawler.chunking.parsing.source import SourceText
from ragcrawler.conversion import ConversionError, convert
from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import open_embedders
from ragcrawler.embedding.selection import select_models

BEST, BUDGET_CHARACTERS = 5, 4_000
SECTION_CHARACTERS = range(200, 3_001)
RESAMPLES = 10_000
MEASURES = ("characters", "recall", "iou", "evidence")

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Question:
    text: str
    document: str
    start: int
    end: int


@dataclass(frozen=True)
class Span:
    document: str
    start: int
    end: int
    embed_text: str

    def overlap(self, question: Question) -> int:
        if self.document != question.document:
            return 0
        return max(0, min(self.end, question.end) - max(self.start, question.start))


class Embedder:
    """Embeds each different text once."""

    def __init__(self, model: str) -> None:
        config = replace(EmbeddingConfig(), threads=1)
        self._model = open_embedders(select_models(model, "bundled/splade-tiny", None, config), config).dense
        self._known: dict[str, Sequence[float]] = {}

    def __call__(self, texts: Sequence[str]) -> Scores:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, self._model.embed_documents(new), strict=True))
        return np.array([self._known[text] for text in texts])


def read_site(folder: Path, most_characters: int) -> tuple[dict[str, str], list[Question]]:
    """The pages without their headings by name, and the questions."""
    pages: dict[str, str] = {}
    questions: list[Question] = []
    for path in sorted(folder.rglob("*")):
        if sum(map(len, pages.values())) >= most_characters:
            break
        if path.suffix not in {".md", ".html", ".htm"}:
            continue
        try:
            media_type = "text/markdown" if path.suffix == ".md" else "text/html"
            page = convert(path.read_bytes(), media_type, f"https://example.org/{path.name}")
        except ConversionError:
            continue
        name = f"{len(pages):04d}.md"
        pages[name], found = without_headings(page.markdown, name)
        questions += found
    asked = Counter(question.text.lower() for question in questions)
    return pages, [question for question in questions if asked[question.text.lower()] == 1]


def without_headings(markdown: str, name: str) -> tuple[str, list[Question]]:
    text = ""
    headings: list[tuple[str, int]] = []
    for element in MarkdownParser().parse(SourceText(markdown)):
        if element.type is ElementType.HEADING:
            headings.append((re.sub(r"^[\W\d.]+|[¶#]\s*$", "", element.metadata["text"]), len(text)))
        elif element.type is not ElementType.FRONT_MATTER:
            text += element.content.rstrip("\r\n") + "\n\n"
    ends = [*(start for _, start in headings[1:]), len(text)]
    return text, [
        Question(heading, name, start, start + len(text[start:end].rstrip()))
        for (heading, start), end in zip(headings, ends, strict=False)
        if len(re.findall(r"\w{3,}", heading)) > 1 and len(text[start:end].rstrip()) in SECTION_CHARACTERS
    ]


def cut(pages: dict[str, str], command: str, size: str) -> Iterator[Span]:
    with tempfile.TemporaryDirectory() as folder:
        documents, chunks = Path(folder, "documents"), Path(folder, "chunks")
        documents.mkdir()
        for name, text in pages.items():
            (documents / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        words = [word.format(documents=documents, chunks=chunks, size=size) for word in shlex.split(command)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        for name in pages:
            for line in (chunks / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
                made = json.loads(line)
                yield Span(name, made["start"], made["end"], made["embed_text"])


def judge(questions: Sequence[Question], spans: Sequence[Span], embed: Embedder) -> Scores:
    """A row a question: the characters of a chunk on average, recall, IoU, evidence."""
    vectors = embed([span.embed_text for span in spans])
    asked = embed([question.text for question in questions])
    mean = float(np.mean([span.end - span.start for span in spans]))
    ranks = np.argsort(-(asked @ vectors.T), axis=1, kind="stable")
    return np.array(
        [
            (mean, *measured(question, [spans[i] for i in row]))
            for question, row in zip(questions, ranks, strict=True)
        ]
    )


def measured(question: Question, ranked: Sequence[Span]) -> tuple[float, float, float]:
    wanted = question.end - question.start
    best = ranked[:BEST]
    found = sum(span.overlap(question) for span in best)
    given = sum(span.end - span.start for span in best)
    evidence = 0
    room = BUDGET_CHARACTERS
    for span in ranked:
        evidence += replace(span, end=min(span.end, span.start + room)).overlap(question)
        room -= span.end - span.start
        if room <= 0:
            break
    return 100 * found / wanted, 100 * found / (given + wanted - found), 100 * evidence / wanted


def interval(differences: Scores) -> str:
    chosen = np.random.default_rng(0).integers(0, len(differences), (RESAMPLES, len(differences)))
    low, high = np.percentile(differences[chosen].mean(axis=1), (2.5, 97.5))
    return f"{differences.mean():+6.2f} [{low:+.2f}, {high:+.2f}]"


def show(site: str, scores: Sequence[Scores]) -> None:
    for number, rows in enumerate(scores):
        means = "  ".join(
            f"{name} {mean:7.2f}" for name, mean in zip(MEASURES, rows.mean(axis=0), strict=True)
        )
        print(f"{site:20s} {len(rows):4d} questions  chunker {number + 1}: {means}")
        if number:
            compared = zip(MEASURES[1:], (rows - scores[0])[:, 1:].T, strict=True)
            print(" " * 37, "  ".join(f"{name} {interval(differences)}" for name, differences in compared))


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("sites", nargs="+", type=Path)
    arguments.add_argument("--chunker", action="append", required=True)
    arguments.add_argument("--sizes", default="200", help="each in turn stands for {size}")
    arguments.add_argument("--model", default="bundled/all-MiniLM-L6-v2")
    arguments.add_argument("--most-characters", type=int, default=300_000, help="of a site")
    options = arguments.parse_args()
    embed = Embedder(options.model)
    everything: list[list[Scores]] = []
    for site in options.sites:
        pages, questions = read_site(site, options.most_characters)
        scores = []
        for command in options.chunker:
            sized = [
                judge(questions, list(cut(pages, command, size)), embed) for size in options.sizes.split(",")
            ]
            scores.append(np.mean(sized, axis=0))
        show(site.name, scores)
        everything.append(scores)
    show("all sites", [np.concatenate(rows) for rows in zip(*everything, strict=True)])


if __name__ == "__main__":
    main()
