"""Settings that were given under a name that nobody reads."""

from collections.abc import Collection

import pytest

import ragcrawler.settings  # noqa: F401 - it reads the names that can be given
from ragcrawler import environment
from ragcrawler.bootstrap.setting_names import known_names, name_warnings


@pytest.mark.parametrize(
    ("given", "near"),
    [
        ("EMBEDING_MODEL", "EMBEDDING_MODEL"),
        ("CHUNK_TARGET_TOKEN", "CHUNK_TARGET_TOKENS"),
        ("embedding_model", "EMBEDDING_MODEL"),
        ("DOWNLOAD_DELY", "DOWNLOAD_DELAY"),
        ("CLOSESPIDER_PAGE_COUNT", "CLOSESPIDER_PAGECOUNT"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_nearest(given: str, near: str) -> None:
    assert list(name_warnings([given])) == [f"there is no setting {given}: did you mean {near}?"]


@pytest.mark.parametrize("given", ["MY_EXTENSION_ENABLED", "S3_FOLDER", "X"])
def test_a_name_that_resembles_none_is_somebody_else_s(given: str) -> None:
    assert list(name_warnings([given])) == []


def test_no_name_of_ours_or_of_scrapy_is_taken_for_a_mistake() -> None:
    assert list(name_warnings(known_names())) == []


@pytest.mark.parametrize(
    ("in_file", "in_environment", "warning"),
    [
        (
            {"QDRANT_COLECTION"},
            set(),
            ".env gives QDRANT_COLECTION, which is no setting: did you mean QDRANT_COLLECTION?",
        ),
        (
            {"CHUNK_TARGET_TOKENS"},
            set(),
            ".env gives CHUNK_TARGET_TOKENS, which is not read from there: give it as"
            " -s CHUNK_TARGET_TOKENS=...",
        ),
        (
            {"RAGCRAWLER_ROOT"},
            set(),
            ".env gives RAGCRAWLER_ROOT, which is not read from there: give it in the environment",
        ),
        (
            set(),
            {"EMBEDDING_MODELL", "HOME", "LANGUAGE"},
            "the environment gives EMBEDDING_MODELL, which is no setting: did you mean EMBEDDING_MODEL?",
        ),
    ],
)
def test_the_environment_and_the_file_are_looked_through_as_well(
    in_file: Collection[str],
    in_environment: Collection[str],
    warning: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    readable, _, _ = environment.environment_names()
    names = (readable, frozenset(in_file), frozenset({*in_file, *in_environment}))
    monkeypatch.setattr(environment, "environment_names", lambda: names)
    assert list(name_warnings([])) == [warning]


def test_this_environment_has_no_misspelt_name() -> None:
    readable, _, _ = environment.environment_names()
    assert {"EMBEDDING_MODEL", "QDRANT_URL", "LLM_MODEL"} <= readable
    assert "CHUNK_TARGET_TOKENS" not in readable
