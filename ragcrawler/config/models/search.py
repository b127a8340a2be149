"""The settings of searches."""

import math
from collections.abc import Mapping
from typing import get_args

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader
from ragcrawler.retrieval.search.search_options import HybridPart, SearchOptions
from ragcrawler.stores.search_request import Leg

_PARTS = (*get_args(Leg), "document")


def search_options(settings: Mapping[str, object]) -> SearchOptions:
    """The options of a search that is given none.

    Raises:
        SettingError: a setting is invalid.
    """
    read = SettingsReader(settings)
    return SearchOptions(
        weights=hybrid_weights(read.text("HYBRID_WEIGHTS")),
        fusion=read.choice("HYBRID_FUSION", ("rrf", "dbsf")),  # type: ignore[arg-type]  # checked by choice
        k_rrf=read.integer("HYBRID_RRF_K"),
        model_seconds=read.number("RERANK_TIMEOUT_SECONDS"),
    )


def hybrid_weights(written: str) -> dict[HybridPart, float]:
    """Parse weights such as "dense=1,bm25=0.5,document=0.7".

    Raises:
        SettingError: it says something else, or leaves no ranking.
    """
    weights: dict[HybridPart, float] = {}
    for part in written.split(","):
        leg, _, weight = (each.strip() for each in part.partition("="))
        try:
            number = float(weight)
        except ValueError:
            number = math.nan
        if leg not in _PARTS or leg in weights or not 0 <= number < math.inf:
            raise _wrong_weights(written)
        weights[leg] = number  # type: ignore[index]  # one of the parts, just checked
    if not any(weight for part, weight in weights.items() if part != "document"):
        raise _wrong_weights(written)
    return weights


def _wrong_weights(written: str) -> SettingError:
    return SettingError(
        "HYBRID_WEIGHTS",
        written,
        "weights of dense, sparse, bm25 and document, one of the first three over 0: dense=1,bm25=0.5 say",
    )
