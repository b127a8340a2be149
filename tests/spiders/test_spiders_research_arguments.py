"""The arguments of a research."""

import pytest

from ragcrawler.run.research.request import arguments_of
from ragcrawler.spiders.arguments import ArgumentError
from ragcrawler.spiders.research_arguments import parse_research

GIVEN = {
    "goal": "Makers of pumps",
    "template": "company",
    "urls": "https://a.org/x",
    "domains": "a.org,b.org",
    "depth": "5",
    "budget_pages": "20",
    "budget_tokens": "3000",
    "budget_usd": "1.5",
    "budget_minutes": "2",
    "search": "searxng",
}


def test_a_research_goes_on_with_the_options_that_it_had() -> None:
    asked, _ = parse_research(GIVEN)
    resumed, _ = parse_research(arguments_of(asked.options) | {"resume": asked.id})
    assert (resumed.options, resumed.id) == (asked.options, asked.id)


def test_a_research_of_before_domains_were_kept_goes_on_as_well() -> None:
    resumed, _ = parse_research(arguments_of({"depth": 2, "urls": []}) | {"resume": "r1"})
    assert (resumed.bounds.depth, resumed.urls, resumed.stays_on_domains) == (2, (), False)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"goal": " "}, "goal=... is missing"),
        ({"urls": "", "domains": "", "search": ""}, "give urls=..., domains=... or search=..."),
        ({"budget_pages": "-3"}, "budget_pages=-3 should be a whole number of at least 0"),
        ({"budget_usd": "nan"}, "budget_usd=nan should be a number of at least 0"),
        ({"depth": "1.5"}, "depth=1.5 should be a whole number"),
    ],
)
def test_a_wrong_argument_is_refused_with_its_value(changed: dict[str, str], message: str) -> None:
    with pytest.raises(ArgumentError, match=message.replace("(", r"\(")):
        parse_research(GIVEN | changed)
