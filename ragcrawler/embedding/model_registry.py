"""Every model by its name: a table of families by the beginning of the name."""

import difflib
from collections.abc import Sequence
from pathlib import Path

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.families.bundled import BundledFamily
from ragcrawler.embedding.families.family import ModelFamily
from ragcrawler.embedding.families.folder import FolderFamily
from ragcrawler.embedding.families.hashing import HashingFamily
from ragcrawler.embedding.families.hashing_embedders import HASHING_DENSE
from ragcrawler.embedding.families.hub import HubFamily
from ragcrawler.embedding.onnx.bundled import BUNDLED_DENSE
from ragcrawler.embedding.precision import name_before_int8
from ragcrawler.embedding.protocol import KINDS, EmbeddingError, Kind, ModelDescription
from ragcrawler.embedding.remote.cohere import CohereDialect
from ragcrawler.embedding.remote.family import RemoteFamily
from ragcrawler.embedding.remote.openai import OpenAiDialect

_MOST_SHOWN = 5
_FOLDERS = FolderFamily()
_HUB = HubFamily()
_BUNDLED = BundledFamily()
_HASHING = HashingFamily()
_STAND_INS = ((_BUNDLED, BUNDLED_DENSE.name), (_HASHING, HASHING_DENSE.name))
# Looked through in this order; the last one takes whatever is left.
FAMILIES: tuple[tuple[str, ModelFamily], ...] = (
    ("bundled/", _BUNDLED),
    ("hashing/", _HASHING),
    ("openai:", RemoteFamily(OpenAiDialect(), _STAND_INS)),
    ("cohere:", RemoteFamily(CohereDialect(), _STAND_INS)),
    ("/", _FOLDERS),
    ("./", _FOLDERS),
    ("../", _FOLDERS),
    ("~", _FOLDERS),
    ("", _HUB),
)


def unknown_model(name: str, kind: Kind, known: Sequence[str]) -> EmbeddingError:
    """The error, with the known names nearest to the wrong one, or some where none is near."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    near = difflib.get_close_matches(name.lower(), by_lower, n=_MOST_SHOWN, cutoff=0.5)
    shown = ", ".join([by_lower[candidate] for candidate in near] or known[:_MOST_SHOWN])
    return EmbeddingError(
        f"there is no {kind} model {name!r}: take {shown}, another one that fastembed lists,"
        " or the path of a folder with an ONNX model"
    )


def family_of(name: str) -> ModelFamily:
    """The family of the name's prefix; a folder needs no `./` unless the hub has a model of its name."""
    family = next(family for prefix, family in FAMILIES if name.startswith(prefix))
    is_folder = family is _HUB and any(
        each and Path(each).is_dir() for each in (name, name_before_int8(name))
    )
    return _FOLDERS if is_folder and not _is_hub_name(name) else family


def _is_hub_name(name: str) -> bool:
    return any(_HUB.describe(name, kind) for kind in KINDS)


def model_names(kind: Kind) -> list[str]:
    """Every name that is known before anything is looked for."""
    return [name for family in dict(FAMILIES).values() for name in family.names(kind)]


def describe(name: str, kind: Kind) -> ModelDescription:
    """The description of a model, without loading or fetching it.

    Raises:
        EmbeddingError: there is no such model; says which names are near.
    """
    description = family_of(name).describe(name, kind)
    if description is None:
        raise unknown_model(name, kind, model_names(kind))
    return description


def tokenizer_path(description: ModelDescription, config: EmbeddingConfig) -> Path:
    """The `tokenizer.json` that counts as the model does; the model is built or fetched when needed.

    Raises:
        EmbeddingError: it is not available.
    """
    return family_of(description.name).tokenizer(description, config)
