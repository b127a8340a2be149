"""The record that a collection keeps of its models and its schema version.

Version 1 had four payload indexes and no number; version 2 has those of `PAYLOAD_INDEXES`. A store brings
what is older to this version when it opens the collection for writing.
"""

from collections.abc import Mapping
from typing import Any

from ragcrawler.stores.errors import StoreError
from ragcrawler.stores.protocol import CollectionModels
from ragcrawler.stores.remembered_models import models_record

SCHEMA_VERSION = 2

_KEY = "schema_version"


def collection_record(models: CollectionModels) -> dict[str, Any]:
    """The record of a collection of this version, as JSON values."""
    return {**models_record(models), _KEY: SCHEMA_VERSION}


def is_outdated(record: Mapping[str, Any], location: str) -> bool:
    """Whether the collection has an older schema and is to be migrated.

    Raises:
        StoreError: its schema is newer than this program.
        ValueError: its version is no number.
    """
    version = record.get(_KEY, 1)
    if not isinstance(version, int):
        raise ValueError(f"wrong type of {_KEY}")  # noqa: TRY004 - like every other damage of the record
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"The collection {location} has version {version} of the schema, and this program knows "
            f"{SCHEMA_VERSION}: a later version of ragcrawler made it. Upgrade ragcrawler, or choose another "
            "collection."
        )
    return version < SCHEMA_VERSION
