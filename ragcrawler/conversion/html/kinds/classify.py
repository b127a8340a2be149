"""The classifier: a multinomial logistic regression over what a page declares and looks like."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from lxml import html

from ragcrawler.conversion.html.kinds.declared import declared_features
from ragcrawler.conversion.html.kinds.page_kind import KINDS, KindVerdict, PageKind
from ragcrawler.conversion.html.kinds.shape import shape_features
from ragcrawler.conversion.html.selection.block_scores import Words
from ragcrawler.conversion.html.selection.blocks import Block


@dataclass(frozen=True, slots=True)
class Weights:
    """A trained classifier.

    Attributes:
        means: of each feature on the pages it was trained on, by the feature's name.
        scales: standard deviations, likewise.
        weights: for each kind, the weight of each feature.
        biases: for each kind.
    """

    means: Mapping[str, float]
    scales: Mapping[str, float]
    weights: Mapping[PageKind, Mapping[str, float]]
    biases: Mapping[PageKind, float]

    def judge(self, features: Mapping[str, float]) -> KindVerdict:
        """The probability of each kind for a page with these features."""
        scaled = {name: (features[name] - mean) / self.scales[name] for name, mean in self.means.items()}
        logits = {
            kind: self.biases[kind] + sum(self.weights[kind][name] * value for name, value in scaled.items())
            for kind in KINDS
        }
        highest = max(logits.values())
        powers = {kind: math.exp(logit - highest) for kind, logit in logits.items()}
        total = sum(powers.values())
        return KindVerdict({kind: power / total for kind, power in powers.items()})


@cache
def load_weights() -> Weights:
    """The weights of the package; `benchmarks/page_kinds.py train` writes them."""
    return Weights(**json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8")))


def features_of(
    root: html.HtmlElement, url: str, body: html.HtmlElement, blocks: Sequence[Block], words: Words
) -> dict[str, float]:
    """Every feature of a prepared page, by name."""
    return declared_features(root, url) | shape_features(body, blocks, words)


def classify(
    root: html.HtmlElement, url: str, body: html.HtmlElement, blocks: Sequence[Block], words: Words
) -> KindVerdict:
    """How likely a page is of each kind.

    Args:
        root: the page.
        url: its address, "" where it is not known.
        body: its body, prepared.
        blocks: the blocks of the body.
        words: what the extractor kept of them.
    """
    return load_weights().judge(features_of(root, url, body, blocks, words))
