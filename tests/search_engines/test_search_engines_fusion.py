"""Several rankings become one, by a table that was worked out by hand."""

import pytest

from ragcrawler.search_engines.answer import EngineResult
from ragcrawler.search_engines.fusion import domain_of, fuse


def ranking(*urls: str) -> list[EngineResult]:
    return [EngineResult(url, f"title of {url}") for url in urls]


# a: 1/61 + 1/62; b: 1/62 + 1/61 + 1/63; c: 1/63; d: 1/61 + 1/62
RANKINGS = {
    "one": ranking("https://a.example/", "https://b.example/", "https://c.example/"),
    "two": ranking("https://b.example/", "https://a.example/"),
    "three": ranking("https://d.example/", "https://e.example/", "https://b.example/"),
    "four": ranking("https://f.example/", "https://d.example/"),
}
TABLE = [
    ("https://b.example/", 0.0483955, {"one": 2, "two": 1, "three": 3}),
    ("https://a.example/", 0.0325225, {"one": 1, "two": 2}),
    ("https://d.example/", 0.0325225, {"three": 1, "four": 2}),
    ("https://f.example/", 0.0163934, {"four": 1}),
    ("https://e.example/", 0.0161290, {"three": 2}),
    ("https://c.example/", 0.0158730, {"one": 3}),
]


def test_reciprocal_ranks_add_up_as_worked_out_by_hand() -> None:
    found = [(each.url, round(each.score, 7), each.ranks) for each in fuse(RANKINGS).results]
    assert found == TABLE


@pytest.mark.parametrize(
    ("urls", "merged"),
    [
        (("https://a.example/x?utm_source=s", "https://a.example/x"), "https://a.example/x"),
        (("https://A.example/x#part", "https://a.example/x"), "https://a.example/x"),
        (("https://www.a.example/", "https://a.example/"), "https://www.a.example/"),
        (("https://a.example:443/%7Ex", "https://a.example/~x"), "https://a.example/%7Ex"),
    ],
)
def test_spellings_of_one_url_are_one_result_as_the_first_engine_has_it(
    urls: tuple[str, str], merged: str
) -> None:
    (only,) = fuse({"one": ranking(urls[0]), "two": ranking(urls[1])}).results
    assert only.ranks == {"one": 1, "two": 1}
    assert only.url == merged


def test_a_url_that_one_engine_gives_twice_counts_once_by_its_better_rank() -> None:
    (only,) = fuse({"one": ranking("https://a.example/", "https://a.example/#b")}).results
    assert (only.ranks, round(only.score, 7)) == ({"one": 1}, 0.0163934)


def test_a_domain_has_so_many_results_and_no_more() -> None:
    urls = [f"https://{name}.a.co.uk/{number}" for number in range(3) for name in ("x", "y")]
    fusion = fuse({"one": ranking(*urls, "https://b.co.uk/")}, per_domain=2)
    assert [each.url for each in fusion.results] == [*urls[:2], "https://b.co.uk/"]
    assert fusion.left_out == {"per_domain": 4}
    assert len(fuse({"one": ranking(*urls)}, per_domain=0).results) == 6


def test_what_is_refused_is_counted_and_takes_no_place_of_its_domain() -> None:
    fusion = fuse(
        {"one": ranking("https://a.example/tag/x", "https://a.example/y", "ftp://a.example/", "nothing")},
        refusal=lambda url: "junk" if "/tag/" in url else "",
        per_domain=1,
    )
    assert [each.url for each in fusion.results] == ["https://a.example/y"]
    assert fusion.results[0].ranks == {"one": 2}
    assert fusion.left_out == {"not_http": 1, "not_a_url": 1, "junk": 1}


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://a.b.example.co.uk/", "example.co.uk"),
        ("http://127.0.0.1:8080/x", "127.0.0.1"),
        ("http://localhost/", "localhost"),
        ("https://me.github.io/", "me.github.io"),
    ],
)
def test_a_domain_is_the_registered_one(url: str, domain: str) -> None:
    assert domain_of(url) == domain
