"""Which questions a research takes for the same: by their vectors alone, and by their words as well.

    python benchmarks/research_same.py [--model bundled/all-MiniLM-L6-v2-int8]

`research_pairs.tsv` has pairs of questions about six subjects, written by hand: 31 ask the same, 54 do not,
often by one word only. The least cosine is chosen on three subjects and judged on the other three. Prints for
each rule and bound, of each half: pairs that are folded rightly, and pairs that are folded wrongly, so that
one of them is never asked.
"""

import argparse
import csv
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import open_embedders
from ragcrawler.embedding.selection import select_models
from ragcrawler.research.links.score import cosine
from ragcrawler.research.same_question import asks_the_same

PAIRS = Path(__file__).with_name("research_pairs.tsv")
CHOSEN_ON = {"rome", "python", "turbines"}
BOUNDS = (0.80, 0.85, 0.88, 0.90, 0.93, 0.95, 0.97)


@dataclass(frozen=True)
class Pair:
    topic: str
    is_same: bool
    left: str
    right: str
    cosine: float


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="bundled/all-MiniLM-L6-v2-int8")
    pairs = read_pairs(parser.parse_args().model)
    rules: dict[str, Callable[[Pair], bool]] = {
        "cosine": lambda _: True,
        "cosine and words": lambda pair: asks_the_same(pair.left, pair.right),
    }
    halves = {
        "chosen on": [pair for pair in pairs if pair.topic in CHOSEN_ON],
        "held out": [pair for pair in pairs if pair.topic not in CHOSEN_ON],
    }
    for name, rule in rules.items():
        for bound in BOUNDS:
            shown = {half: judged(among, rule, bound) for half, among in halves.items()}
            print(json.dumps({"rule": name, "least cosine": bound, **shown}))


def judged(pairs: list[Pair], rule: Callable[[Pair], bool], bound: float) -> str:
    folded = [pair.is_same for pair in pairs if pair.cosine >= bound and rule(pair)]
    same = sum(pair.is_same for pair in pairs)
    wrong = len(folded) - sum(folded)
    return f"{sum(folded)} of {same} rightly, {wrong} of {len(pairs) - same} wrongly"


def read_pairs(model: str) -> list[Pair]:
    config = replace(EmbeddingConfig(), threads=1)
    embedders = open_embedders(select_models(model, "bundled/splade-tiny-int8", None, config), config)
    with PAIRS.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    texts = list(dict.fromkeys(row[side] for row in rows for side in ("left", "right")))
    vectors = dict(zip(texts, embedders.dense.embed_documents(texts), strict=True))
    return [
        Pair(
            row["topic"],
            row["same"] == "yes",
            row["left"],
            row["right"],
            cosine(vectors[row["left"]], vectors[row["right"]]),
        )
        for row in rows
    ]


if __name__ == "__main__":
    main()
