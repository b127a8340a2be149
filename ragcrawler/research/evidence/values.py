"""Values of a template's fields: their normal form, and whether a quote bears them out."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Literal

from ragcrawler.research.evidence.dates import MONTHS, PartialDate, dates
from ragcrawler.research.evidence.numbers import QUANTITY_WORDS, Quantity, quantities
from ragcrawler.research.evidence.plain_text import holds, words
from ragcrawler.research.templates.fields import Field

Value = str | int | float | bool
Support = Literal["supported", "derived", "unverified"]

# Of a text that is no quote, so many of its words have to stand in the quote for it to be derived from it.
_DERIVED_SHARE = 0.6
_NUMBER_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
_NEGATIONS = frozenset(
    ["not", "no", "never", "none", "neither", "nor", "without", "cannot", "t", "nobody", "nothing", "hardly"]
)
_SMALL_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "that",
        "the",
        "this",
        "to",
        "was",
        "were",
        "with",
    ]
)
_ARTICLES = frozenset(("the", "a", "an"))
# Legal forms and the like: "Acme Corp." and "ACME Corporation" are one company.
_LEGAL_FORMS = frozenset(
    [
        "ag",
        "bv",
        "co",
        "company",
        "corp",
        "corporation",
        "gmbh",
        "inc",
        "incorporated",
        "kg",
        "limited",
        "llc",
        "ltd",
        "nv",
        "oy",
        "plc",
        "pty",
        "sa",
        "se",
        "spa",
    ]
)


def normal_form(value: Value, field: Field) -> str:
    """A text that equal values share, however they are written: `12 km` and `12,000 m`, for example."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return _decimal_text(Decimal(str(value)))
    if field.kind == "enum":
        return value
    if field.kind == "date":
        return str(_whole_date(value) or " ".join(words(value)))
    return _normal_text(value)


def _normal_text(value: str) -> str:
    if (quantity := _whole_quantity(value)) is not None:
        return f"{_decimal_text(quantity.value)} {quantity.measure}".strip()
    if (found := _whole_date(value)) is not None and found.month:
        return str(found)
    return " ".join(words(value))


def normal_name(value: Value, field: Field) -> str:
    """The normal form of a name: articles, legal forms and the dots of initials do not count.

    No part of it is a quantity or a date: `Python 3.1` and `Python 3.10` are two.
    """
    if field.kind != "str" or not isinstance(value, str):
        return normal_form(value, field)
    normal = " ".join(words(value))
    parts = (word for word in normal.split() if word not in _ARTICLES)
    bare = [word if word[0].isdigit() else word.replace(".", "") for word in parts]
    while len(bare) > 1 and bare[-1] in _LEGAL_FORMS:
        bare.pop()
    return " ".join(bare) or normal


def support(value: Value, field: Field, quote: str) -> Support:
    """Whether a quote bears a value out.

    `supported`: it stands there, after normalisation. `derived`: what the value is made of stands there,
    such as for a truth value, a choice, or a text in other words. Else `unverified`.
    """
    if isinstance(value, bool):
        return "derived"
    if isinstance(value, (int, float)):
        return "supported" if _holds_number(quote, Decimal(str(value))) else "unverified"
    if field.kind == "enum":
        return "supported" if holds(words(quote), words(value)) else "derived"
    if field.kind == "date":
        return _date_support(value, quote)
    return _text_support(value, quote)


def negations(text: str) -> int:
    """How many words of a text deny something; of English."""
    return sum(word in _NEGATIONS for word in words(text))


def numbers_of(text: str) -> frozenset[Decimal]:
    """The numbers of a text, as they are written and in their base units."""
    return frozenset(each for found in quantities(text) for each in (found.value, found.written))


def content_words(text: Iterable[str]) -> frozenset[str]:
    """The words that say something: no articles, prepositions or numbers."""
    return frozenset(word for word in text if word not in _SMALL_WORDS and not word[0].isdigit())


def _date_support(value: str, quote: str) -> Support:
    wanted = _whole_date(value)
    if wanted is None:
        return _text_support(value, quote)
    return "supported" if any(wanted.includes(found) for found in dates(quote)) else "unverified"


def _text_support(value: str, quote: str) -> Support:
    wanted, there = words(value), words(quote)
    if not wanted:
        return "unverified"
    if holds(there, wanted) or _holds_quantity(quote, value) or _holds_date(quote, value):
        return "supported"
    versions = {word for word in wanted if word[0].isdigit() and "." in word}  # 3.10 is not 3.1
    if not versions <= set(there) or not numbers_of(value) <= numbers_of(quote):
        return "unverified"
    if negations(value) != negations(quote):
        return "unverified"
    said, known = content_words(wanted), content_words(there)
    return "derived" if said and len(said & known) >= _DERIVED_SHARE * len(said) else "unverified"


def _holds_number(quote: str, number: Decimal) -> bool:
    if number in numbers_of(quote):
        return True
    is_word = number == number.to_integral_value() and 0 <= number < len(_NUMBER_WORDS)
    return is_word and _NUMBER_WORDS[int(number)] in words(quote)


def _holds_quantity(quote: str, value: str) -> bool:
    wanted = _whole_quantity(value)
    return wanted is not None and any(
        found.value == wanted.value and found.measure == wanted.measure for found in quantities(quote)
    )


def _holds_date(quote: str, value: str) -> bool:
    wanted = _whole_date(value)
    return wanted is not None and any(wanted.includes(found) for found in dates(quote))


def _whole_quantity(value: str) -> Quantity | None:
    """The quantity that a text is, if it is nothing else; `3.10` without a unit may be a version."""
    found = list(quantities(value))
    others = {word for word in words(value) if not word[0].isdigit()}
    if len(found) != 1 or not others <= QUANTITY_WORDS:
        return None
    is_bare = not (found[0].measure or others)
    return None if is_bare and "." in value else found[0]


def _whole_date(value: str) -> PartialDate | None:
    """The date that a text is, if it is nothing else."""
    found = list(dates(value))
    if len(found) != 1 and len(value) > len("00000"):
        return None
    if not found:
        return _short_year(value)
    others = (word for word in words(value) if word.isalpha() and len(word) > len("sept"))
    return found[0] if all(word in MONTHS for word in others) else None


def _short_year(value: str) -> PartialDate | None:
    """A year of less than three figures, as `79`: in a text that is a date it can be nothing else."""
    bare = value.strip()
    return PartialDate(int(bare)) if bare.lstrip("-").isdecimal() and bare.isascii() else None


def _decimal_text(value: Decimal) -> str:
    return format(value.normalize(), "f")
