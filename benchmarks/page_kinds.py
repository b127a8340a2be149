"""Train and check the classifier of pages: `python benchmarks/page_kinds.py {train|check} FOLDER`.

FOLDER is a half of WCXB, the Web Content Extraction Benchmark (CC BY 4.0): `html/*.html.gz`,
`ground-truth/*.json` and, one level up, `metadata.json` with the kind of each page.

`train` writes the weights into the package. `check` prints the confusion matrix and, for each kind of
page, precision, recall and F1 of words against trafilatura with 95 % intervals of the paired differences. In
both, no page is judged by weights that saw a page of its site: ten folds of sites.
"""

import argparse
import gzip
import json
import logging
import random
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlsplit

import numpy as np

from ragcrawler.conversion import ConversionError, ConversionLimits, convert
from ragcrawler.conversion.html import kinds
from ragcrawler.conversion.html.kinds import KINDS
from ragcrawler.conversion.html.kinds.classify import Weights, features_of
from ragcrawler.conversion.html.parse import parse
from ragcrawler.conversion.html.preparation import prepare
from ragcrawler.conversion.html.selection.block_scores import count_votes
from ragcrawler.conversion.html.selection.blocks import list_blocks
from ragcrawler.conversion.html.selection.extractor_text import ask_extractor

DECAY = 0.03
LEAST_SCALE = 0.15
STEPS = 600
FOLDS = 10
SHUFFLES = 1_000
CLASSIFIER = import_module("ragcrawler.conversion.html.kinds.classify")
WEIGHTS = Path(kinds.__file__).with_name("weights.json")
PICTURE = re.compile(r"!\[[^\[\]]*\]\([^()]*(?:\([^()]*\))?[^()]*\)")
LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*(?:\([^()]*\))?[^()]*\)")
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Page:
    id: str
    url: str
    kind: str
    text: str
    truth: str

    @property
    def site(self) -> str:
        return ".".join((urlsplit(self.url).hostname or "").split(".")[-2:])


def read_pages(folder: Path) -> Iterator[Page]:
    kinds_of = json.loads((folder.parent / "metadata.json").read_text())["files"]
    for file in sorted((folder / "ground-truth").glob("*.json")):
        truth = json.loads(file.read_text())
        with gzip.open(
            folder / "html" / f"{file.stem}.html.gz", "rt", encoding="utf-8", errors="replace"
        ) as page:
            content = truth["ground_truth"].get("main_content") or ""
            yield Page(
                file.stem, truth.get("url", ""), kinds_of[file.stem]["page_type"], page.read(), content
            )


def features(page: Page) -> dict[str, float] | None:
    root = parse(page.text, page.url, ConversionLimits())
    vote = ask_extractor(root)
    body = root.find("body")
    prepare(body)
    blocks = list_blocks(body)
    return features_of(root, page.url, body, blocks, count_votes(blocks, vote).words) if blocks else None


def fit(names: Sequence[str], rows: np.ndarray, answers: np.ndarray) -> Weights:
    """Multinomial logistic regression with weight decay, by gradient descent with momentum."""
    means, scales = rows.mean(0), np.maximum(rows.std(0), LEAST_SCALE)
    scaled, truth = (rows - means) / scales, np.eye(len(KINDS))[answers]
    weights, biases = np.zeros((rows.shape[1], len(KINDS))), np.zeros(len(KINDS))
    speed, bias_speed = np.zeros_like(weights), np.zeros_like(biases)
    for _ in range(STEPS):
        logits = scaled @ weights + biases
        powers = np.exp(logits - logits.max(1, keepdims=True))
        error = (powers / powers.sum(1, keepdims=True) - truth) / len(rows)
        speed = 0.9 * speed - 0.05 * (scaled.T @ error + DECAY * weights)
        bias_speed = 0.9 * bias_speed - 0.05 * error.sum(0)
        weights, biases = weights + speed, biases + bias_speed

    def by_name(values: np.ndarray) -> dict[str, float]:
        return {name: round(float(value), 4) for name, value in zip(names, values, strict=True)}

    return Weights(
        means=by_name(means),
        scales=by_name(scales),
        weights={kind: by_name(weights[:, index]) for index, kind in enumerate(KINDS)},
        biases={kind: round(float(biases[index]), 4) for index, kind in enumerate(KINDS)},
    )


def train(pages: Sequence[Page], described: Sequence[dict[str, float]]) -> Weights:
    names = list(described[0])
    rows = np.array([[each[name] for name in names] for each in described])
    return fit(names, rows, np.array([KINDS.index(page.kind) for page in pages]))


def cross_validate(pages: Sequence[Page], described: Sequence[dict[str, float]]) -> dict[str, Weights]:
    """For each page, weights that saw no page of its site."""
    sites = sorted({page.site for page in pages})
    random.Random(0).shuffle(sites)
    fold_of = {site: index % FOLDS for index, site in enumerate(sites)}
    found: dict[str, Weights] = {}
    for fold in range(FOLDS):
        seen = [index for index, page in enumerate(pages) if fold_of[page.site] != fold]
        weights = train([pages[index] for index in seen], [described[index] for index in seen])
        found |= {page.id: weights for page in pages if fold_of[page.site] == fold}
    return found


def score(text: str, truth: str) -> tuple[float, float, float]:
    """Precision, recall and F1 of words."""
    ours, theirs = (Counter(WORD.findall(each.lower())) for each in (text, truth))
    if not ours or not theirs:
        return (1.0, 1.0, 1.0) if not ours and not theirs else (0.0, 0.0, 0.0)
    common = (ours & theirs).total()
    precision, recall = common / ours.total(), common / theirs.total()
    return precision, recall, 2 * precision * recall / (precision + recall) if common else 0.0


def extract(page: Page) -> str:
    import trafilatura

    return trafilatura.extract(page.text, url=page.url or None, include_comments=False) or ""


def visible(markdown: str) -> str:
    """The text as a reader sees it: descriptions of pictures are no words of it."""
    markdown = PICTURE.sub("", markdown)
    while (shorter := LINK.sub(r"\1", markdown)) != markdown:
        markdown = shorter
    return markdown


def convert_page(page: Page) -> str:
    try:
        return visible(convert(page.text.encode(), "text/html; charset=utf-8", page.url).markdown)
    except ConversionError:
        return ""


def interval(differences: Sequence[float]) -> tuple[float, float]:
    means = sorted(
        statistics.mean(random.Random(seed).choices(differences, k=len(differences)))
        for seed in range(SHUFFLES)
    )
    return means[SHUFFLES // 40], means[-SHUFFLES // 40]


def print_confusion(pages: Sequence[Page], judged: Callable[[Page], str]) -> None:
    counts = Counter((page.kind, judged(page)) for page in pages)
    print(f"{'':14s}" + "".join(f"{kind[:10]:>11s}" for kind in KINDS))
    for kind in KINDS:
        print(f"{kind:14s}" + "".join(f"{counts[kind, other]:11d}" for other in KINDS))
    right = sum(counts[kind, kind] for kind in KINDS)
    print(f"{right} of {len(pages)} pages, {right / len(pages):.3f}")


def print_table(pages: Sequence[Page], weights: dict[str, Weights]) -> None:
    rows = []
    for page in pages:
        with patch(
            "ragcrawler.conversion.html.kinds.classify.load_weights", lambda page=page: weights[page.id]
        ):
            rows.append((page.kind, score(extract(page), page.truth), score(convert_page(page), page.truth)))
    print("kind            pages  trafilatura P R F1     here P R F1            difference of F1")
    for kind in (*KINDS, "all"):
        chosen = [row for row in rows if kind in ("all", row[0])]
        theirs, ours = (
            " ".join(f"{statistics.mean(row[side][part] for row in chosen):.3f}" for part in range(3))
            for side in (1, 2)
        )
        differences = [row[2][2] - row[1][2] for row in chosen]
        low, high = interval(differences)
        mean = statistics.mean(differences)
        print(f"{kind:14s} {len(chosen):6d}  {theirs}    {ours}    {mean:+.3f} [{low:+.3f}, {high:+.3f}]")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=("train", "check"))
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    found = [(page, features(page)) for page in read_pages(options.folder)]
    pages = [page for page, described in found if described]
    described = [described for _, described in found if described]
    if options.action == "train":
        weights = train(pages, described)
        text = json.dumps(as_table(weights), indent=1)
        WEIGHTS.write_text(text + "\n", encoding="utf-8")
        print(f"{len(pages)} pages, {len(weights.means)} features: {WEIGHTS}")
        return
    weights_of = cross_validate(pages, described)
    verdicts = {page.id: weights_of[page.id].judge(each) for page, each in zip(pages, described, strict=True)}
    print_confusion(pages, lambda page: verdicts[page.id].likeliest)
    print_table(pages, weights_of)


def as_table(weights: Weights) -> dict[str, object]:
    return {name: getattr(weights, name) for name in ("means", "scales", "weights", "biases")}


if __name__ == "__main__":
    main()
