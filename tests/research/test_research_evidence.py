"""Sentences with their places, values, and whether quotes bear them out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragcrawler.research.evidence.dates import dates
from ragcrawler.research.evidence.numbers import quantities
from ragcrawler.research.evidence.sentences import MAX_CHARACTERS, number_sentences
from ragcrawler.research.evidence.values import Value, normal_form, normal_name, support
from ragcrawler.research.templates import Field

TEXT, NUMBER, DATE, FLAG = Field("t", "str"), Field("n", "float"), Field("d", "date"), Field("b", "bool")
CHOICE = Field("c", "enum", choices=("open", "closed"))
MARKDOWN = """# The city

Rome was big, e.g. in 100 AD. It fell in 476. See [chapter 2. Later](later.md).

| year | people |
|---|---|
| 100 | 1,000,000 |

- one item
- another. With more.
"""


def test_a_sentence_is_a_sentence_a_row_an_item_or_a_line() -> None:
    found = number_sentences(MARKDOWN, [(0, len(MARKDOWN))])
    assert [sentence.text(MARKDOWN) for sentence in found] == [
        "# The city",
        "Rome was big, e.g. in 100 AD.",
        "It fell in 476.",
        "See [chapter 2. Later](later.md).",
        "| year | people |",
        "| 100 | 1,000,000 |",
        "- one item",
        "- another. With more.",
    ]
    assert [sentence.number for sentence in found] == list(range(1, 9))


def test_spans_that_overlap_give_no_sentence_twice() -> None:
    text = "One is here. Two is here. Three is here."
    found = number_sentences(text, [(0, 25), (13, 40)])
    assert [sentence.text(text) for sentence in found] == ["One is here.", "Two is here.", "Three is here."]


@given(st.text(max_size=300), st.integers(0, 40))
def test_sentences_are_in_order_bounded_and_lose_no_word(text: str, cut: int) -> None:
    long = text + "word " * (600 if cut > 35 else 0)
    found = number_sentences(long, [(0, cut), (cut, len(long))])
    ends = [0]
    for sentence in found:
        assert ends[-1] <= sentence.start < sentence.end <= sentence.start + MAX_CHARACTERS
        ends.append(sentence.end)
    kept = "".join(sentence.text(long) for sentence in found)
    assert sum(map(str.isalnum, kept)) == sum(map(str.isalnum, long))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,234.5 km", [("1234500", "length")]),
        ("12 % of 3.5 million", [("0.12", "ratio"), ("3500000", "")]),
        ("$5bn and €2,000", [("5000000000", "USD"), ("2000", "EUR")]),
        ("5 m long, $5m dear", [("5", "length"), ("5000000", "USD")]),
        ("-40 °C", [("-40", "celsius")]),
        ("1.234.567,8 and 12,5", [("1234567.8", ""), ("12.5", "")]),
        ("version v1.2.3", []),
        ("12 500 t", [("12500000000", "mass")]),
        ("9" * 40, []),
    ],
)
def test_numbers_are_read_with_their_units(text: str, found: list[tuple[str, str]]) -> None:
    assert [(format(each.value, "f"), each.measure) for each in quantities(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 12 March 2020", ["2020-03-12"]),
        ("May 2, 1999 and Sept. 2001", ["1999-05-02", "2001-09"]),
        ("in 44 BC, in AD 79, in 27 B.C.E.", ["-0027", "-0044", "0079"]),
        ("2020-05-31 and 2020-05", ["2020-05", "2020-05-31"]),
        ("in 1998.", ["1998"]),
        ("the 3rd of June 1500", ["1500-06-03"]),
        ("31 February 2020", ["2020-02"]),
        ("10,000 people, 2020/21, part 12345", []),
    ],
)
def test_dates_are_read_as_far_as_they_are_said(text: str, found: list[str]) -> None:
    assert sorted(str(each) for each in dates(text)) == found


@pytest.mark.parametrize(
    ("value", "field", "quote", "state"),
    [
        ("12 km", TEXT, "a way of 12,000 m", "supported"),
        ("12 km", TEXT, "a way of 12,000 km", "unverified"),
        (5e9, NUMBER, "worth $5bn today", "supported"),
        (5, NUMBER, "worth $5bn today", "unverified"),
        (3, NUMBER, "three legions came", "supported"),
        ("1999-05-04", DATE, "on 4 May 1999, it", "supported"),
        ("1999", DATE, "on 4 May 1999, it", "supported"),
        ("1999-05-04", DATE, "in May 1999", "unverified"),
        ("79", DATE, "in AD 79 it", "supported"),
        ("the Roman Empire", TEXT, "of the **Roman** Empire's", "supported"),
        ("São Paulo", TEXT, "in Sao Paulo", "supported"),
        ("well\u2013known\u2026", TEXT, "a well-known... city", "supported"),
        ("it grew quickly after the war", TEXT, "After the war it grew very quickly", "derived"),
        ("it did not grow after the war", TEXT, "After the war it grew", "unverified"),
        ("it grew by 5 after the war", TEXT, "After the war it grew by 6", "unverified"),
        ("Atlantis", TEXT, "in Lille", "unverified"),
        ("Rom", TEXT, "in Rome", "unverified"),
        ("Python 3.1", TEXT, "Python 3.10 was released", "unverified"),
        ("Gemini 11", TEXT, "Apollo 11 landed", "unverified"),
        ("about 12 km", TEXT, "a way of 12,000 m", "supported"),
        (True, FLAG, "it is open", "derived"),
        ("open", CHOICE, "it is open", "supported"),
        ("closed", CHOICE, "it shut down", "derived"),
    ],
)
def test_a_quote_bears_a_value_out_or_not(value: Value, field: Field, quote: str, state: str) -> None:
    assert support(value, field, quote) == state


@pytest.mark.parametrize(
    ("one", "other", "field"),
    [
        ("12 km", "12,000 metres", TEXT),
        ("€5bn", "5 billion euros", TEXT),
        ("4 February 1912", "1912-02-04", TEXT),
        ("4 February 1912", "1912-02-04", DATE),
        (12, 12.0, NUMBER),
        ("São  Paulo", "sao paulo", TEXT),
    ],
)
def test_equal_values_have_one_normal_form(one: Value, other: Value, field: Field) -> None:
    assert normal_form(one, field) == normal_form(other, field)


def test_variants_of_a_name_are_one_name_and_other_names_are_not() -> None:
    names = ("Acme Corp.", "The ACME Corporation", "Acme", "acme, Inc.")
    assert {normal_name(name, TEXT) for name in names} == {"acme"}
    assert normal_name("Acme Rotors", TEXT) != "acme"
    assert normal_name("The Company", TEXT) == "company"
    assert len({normal_name(name, TEXT) for name in ("Python 3.1", "Python 3.10", "Python 31")}) == 3


@pytest.mark.parametrize(("one", "other"), [("3.1", "3.10"), ("Apollo 11", "Gemini 11"), ("5 km", "5 kg")])
def test_values_that_only_share_a_number_are_two(one: str, other: str) -> None:
    assert normal_form(one, TEXT) != normal_form(other, TEXT)
