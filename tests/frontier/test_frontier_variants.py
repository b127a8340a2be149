"""Mirrors in other languages and versions are told by their URLs, and kept or left out by rule."""

import pytest

from ragcrawler.frontier.filters.candidate import Candidate
from ragcrawler.frontier.filters.variants import VariantRules, Variants, language_of, version_of
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.urls.errors import VariantError

A = "https://a.org"


@pytest.mark.parametrize(
    ("path", "language", "version"),
    [
        ("/es/guide", "es", ""),
        ("/docs/pt_BR/guide", "pt-br", ""),
        ("/en/latest/guide.html", "en", "latest"),
        ("/v1.2/guide", "", "v1.2"),
        ("/docs/3.11/library/os.html", "", "3.11"),
        ("/2.x/guide", "", "2.x"),
        ("/version-2.0/guide", "", "version-2.0"),
        ("/2024/05/guide", "", ""),
        ("/guide", "", ""),
        ("/es", "", ""),
        ("/v2", "", ""),
        ("/go/to/guide", "", ""),
        ("/xx/guide", "", ""),
        ("/a/b/c/es/guide", "", ""),
    ],
)
def test_a_path_names_these(path: str, language: str, version: str) -> None:
    assert (language_of(A + path), version_of(A + path)) == (language, version)


def test_what_was_asked_for_is_not_judged() -> None:
    assert language_of(f"{A}/es/docs/x", below="/es/docs/") == ""


@pytest.mark.parametrize(
    ("languages", "path", "link", "refusal"),
    [
        ("", "/es/x", "", None),
        ("all", "/es/x", "", None),
        ("en", "/x", "", None),
        ("en", "/en/x", "", None),
        ("en", "/en-US/x", "", None),
        ("en", "/es/x", "", "other_language"),
        ("en,es", "/es/x", "", None),
        ("en-us", "/en/x", "", "other_language"),
        ("en", "/x", "de", "other_language"),
        ("en", "/x", "x-default", None),
        ("en", "/es/x", "en", None),
    ],
)
def test_a_language_is_kept_or_left_out(languages: str, path: str, link: str, refusal: str | None) -> None:
    variants = Variants(VariantRules.parse(languages, ""), SqliteState().notes)
    assert variants.refusal(Candidate(A + path, language=link)) == refusal


@pytest.mark.parametrize(
    ("versions", "seen", "kept"),
    [
        ("", ["1.0", "2.0"], ["1.0", "2.0"]),
        ("1.0,v3", ["1.0", "2.0", "v3"], ["1.0", "v3"]),
        ("latest", ["3.9", "3.11", "3.10"], ["3.11"]),
        ("latest", ["v9", "v10", "dev"], ["v10"]),
        ("latest", ["latest", "3.11", "nightly"], ["latest"]),
        ("latest", ["latest", "stable", "3.11"], ["stable"]),
        ("latest,3.9", ["latest", "3.9", "3.8"], ["latest", "3.9"]),
        ("latest", ["dev"], ["dev"]),
    ],
)
def test_versions_are_kept_or_left_out(versions: str, seen: list[str], kept: list[str]) -> None:
    variants = Variants(VariantRules.parse("", versions), SqliteState().notes)
    urls = {version: f"{A}/docs/{version}/x" for version in seen}
    variants.learn(urls.values())
    assert [version for version, url in urls.items() if variants.refusal(Candidate(url)) is None] == kept
    assert variants.refusal(Candidate(f"{A}/docs/x")) is None


def test_the_latest_is_found_for_each_place() -> None:
    variants = Variants(VariantRules.parse("", "latest"), SqliteState().notes)
    variants.learn([f"{A}/one/1.0/x", f"{A}/one/2.0/x", f"{A}/two/1.0/x"])
    assert variants.refusal(Candidate(f"{A}/one/1.0/x")) == "other_version"
    assert variants.refusal(Candidate(f"{A}/two/1.0/x")) is None


@pytest.mark.parametrize("languages", ["english", "xx", "e", "en;de"])
def test_what_is_no_language_is_refused(languages: str) -> None:
    with pytest.raises(VariantError, match="no language tag"):
        VariantRules.parse(languages, "")
