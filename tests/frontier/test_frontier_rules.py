import pytest

from ragcrawler.frontier.filters.candidate import Candidate
from ragcrawler.frontier.filters.rules import UrlRules
from ragcrawler.urls.errors import PatternError


@pytest.mark.parametrize(
    ("include", "exclude", "url", "refusal"),
    [
        ("", "", "https://a.org/x", None),
        ("/docs/", "", "https://a.org/Docs/x", None),
        ("/docs/", "", "https://a.org/blog/x", "not_included"),
        ("/docs/ /blog/", "", "https://a.org/blog/x", None),
        ("", r"\.pdf$", "https://a.org/x.pdf", "excluded"),
        ("/docs/", "/docs/old", "https://a.org/docs/old/x", "excluded"),
        ("/x{1,3}/", "", "https://a.org/xx/", None),
        ("gewächs", "", "https://a.org/gew%C3%A4chshaus", None),
        ("", "%C3%A4", "https://a.org/gew%C3%A4chshaus", "excluded"),
    ],
)
def test_a_url_is_wanted_or_refused(include: str, exclude: str, url: str, refusal: str | None) -> None:
    assert UrlRules.parse(include, exclude).refusal(Candidate(url)) == refusal


def test_patterns_in_a_list_may_hold_spaces() -> None:
    assert UrlRules.parse(include=["a b", ""]).refusal(Candidate("https://a.org/a%20b")) is None


@pytest.mark.parametrize("name", ["include", "exclude"])
def test_a_wrong_pattern_is_named(name: str) -> None:
    with pytest.raises(PatternError, match=rf"{name}='\[a'"):
        UrlRules.parse(**{name: "ok [a"})
