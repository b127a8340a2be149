"""Sentences of a report are struck where their facts do not bear them out."""

import pytest

from ragcrawler.research.evidence.facts import Fact, PageQuote
from ragcrawler.research.evidence.values import Value, normal_form
from ragcrawler.research.report.check import SentenceCheck
from ragcrawler.research.templates import parse_template

TEMPLATE = parse_template(
    '{"fields": {"name": "str", "founded": "date", "city": "str", "staff": "int?"}, '
    '"description": "A company"}',
    "makers",
)
FIELDS = {leaf.path: leaf.field for leaf in TEMPLATE.leaves}


def fact(number: str, row: str, path: str, value: Value, text: str) -> Fact:
    quote = PageQuote(f"https://a.org/{row}", "hash", 0, len(text), text)
    return Fact(number, (row,), path, value, normal_form(value, FIELDS[path]), quote, "supported", "q")


FACTS = {
    each.id: each
    for each in (
        fact("n1", "acme", "name", "Acme", "Acme was founded in 1923."),
        fact("f1", "acme", "founded", "1923", "Acme was founded in 1923."),
        fact("s1", "acme", "staff", 1234, "Acme has 1,234 employees."),
        fact("n2", "nordwind", "name", "Nordwind", "Nordwind sits in Lille."),
        fact("c2", "nordwind", "city", "Lille", "Nordwind sits in Lille."),
        fact("f2", "nordwind", "founded", "1980", "Nordwind was never founded in 1980."),
        fact("n4", "v90", "name", "Vestas V90", "# Vestas V90"),
        fact("c4", "v90", "city", "Hadsten", "It is built in Hadsten."),
        fact("n3", "velost", "name", "Velost", "Velost\u2014a maker\u2026 sits in Saint\u2011Denis."),
        fact(
            "c3", "velost", "city", "Saint\u2011Denis", "Velost\u2014a maker\u2026 sits in Saint\u2011Denis."
        ),
    )
}


@pytest.mark.parametrize(
    ("sentence", "ids", "fault"),
    [
        ("Acme was founded in 1923.", ["f1"], ""),
        ("The company Acme was founded in 1923 and has 1,234 employees.", ["f1", "s1"], ""),
        ("Acme was founded in 1924.", ["f1"], "does not say the value"),  # a flipped digit
        ("Acme was founded in 1923 and has 1,235 employees.", ["f1"], "the number 1235"),
        ("Acme was founded in 1923.", ["c2"], "does not name what"),  # swapped ids
        ("Nordwind has its city in Lille.", ["f1"], "does not name what"),
        ("Nordwind was never founded in 1980.", ["f2"], ""),
        ("Nordwind was founded in 1980.", ["f2"], "denies"),  # a dropped negation
        ("Acme was not founded in 1923.", ["f1"], "denies"),
        ("Velost - a maker... sits in Saint-Denis.", ["c3"], ""),  # other dashes and dots
        ("The Vestas V90 has its city in Hadsten.", ["c4"], ""),  # the number of its name
        ("The Vestas V90 has its city in Hadsten 5.", ["c4"], "the number 5"),
        ("Acme was founded in 1923 by Hugo Stein.", ["f1"], "the name hugo"),
        ("Acme was founded in 1923.", [], "names no fact"),
        ("Acme was founded in 1923.", ["f1", "f9"], "there is not"),
        ("Founded in 1923, it is a company.", ["f1"], "does not name what"),
        (
            "Acme, 1923: truly wonderful machines changed everything around that lovely valley.",
            ["f1"],
            "most of",
        ),
    ],
)
def test_a_sentence_stands_only_where_its_facts_bear_it_out(
    sentence: str, ids: list[str], fault: str
) -> None:
    said = SentenceCheck(FACTS, TEMPLATE).judge(sentence, ids).fault
    assert said == "" if fault == "" else fault in said
