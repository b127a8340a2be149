"""Numbers and quantities in text: `1,234.5`, `3.5 million`, `12 %`, `$5bn`, `-40 °C`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from ragcrawler.research.evidence.plain_text import plain

_MAX_DIGITS = 30
_SCALES = {
    "hundred": 2,
    "thousand": 3,
    "k": 3,
    "million": 6,
    "millions": 6,
    "mio": 6,
    "m": 6,
    "mn": 6,
    "billion": 9,
    "billions": 9,
    "bn": 9,
    "b": 9,
    "trillion": 12,
    "tn": 12,
}
# Letters that mean a scale only right behind the number of an amount of money: "$5m", but "5 m" is a length.
_SHORT_SCALES = {"k", "m", "b"}
# unit -> (what it measures, factor to the base unit)
_UNITS: dict[str, tuple[str, Decimal]] = {
    name: (measure, Decimal(factor))
    for measure, units in {
        "length": {
            "mm millimetre millimetres millimeter millimeters": "0.001",
            "cm centimetre centimetres centimeter centimeters": "0.01",
            "m metre metres meter meters": "1",
            "km kilometre kilometres kilometer kilometers": "1000",
            "ft foot feet": "0.3048",
            "mi mile miles": "1609.344",
        },
        "area": {"km² km2 sq_km": "1000000", "ha hectare hectares": "10000", "m² m2 sq_m": "1"},
        "mass": {
            "mg": "0.001",
            "g gram grams gramme grammes": "1",
            "kg kilogram kilograms": "1000",
            "t tonne tonnes": "1000000",
            "lb lbs pound pounds": "453.59237",
        },
        "time": {
            "ms millisecond milliseconds": "0.001",
            "s sec second seconds": "1",
            "min minute minutes": "60",
            "h hr hour hours": "3600",
            "day days": "86400",
            "week weeks": "604800",
            "month months": "2629800",
            "year years yr yrs": "31557600",
        },
        "data": {
            "byte bytes": "1",
            "kb kilobyte kilobytes": "1000",
            "mb megabyte megabytes": "1000000",
            "gb gigabyte gigabytes": "1000000000",
            "tb terabyte terabytes": "1000000000000",
        },
        "power": {"w watt watts": "1", "kw": "1000", "mw": "1000000", "gw": "1000000000"},
        "ratio": {"% percent per_cent": "0.01"},
        "celsius": {"°c": "1"},
        "fahrenheit": {"°f": "1"},
        "USD": {"$ usd us$ dollar dollars us_dollar us_dollars": "1"},
        "EUR": {"€ eur euro euros": "1"},
        "GBP": {"£ gbp": "1"},
        "JPY": {"¥ jpy yen": "1"},
    }.items()
    for names, factor in units.items()
    for name in names.split()
}
_MONEY = "$€£¥"
# What may stand beside the figures of a number: its unit, its scale, and how exact it is.
QUANTITY_WORDS = frozenset(
    [part for name in (*_UNITS, *_SCALES) for part in name.strip("%°$€£¥").split("_")]
    + ["about", "almost", "approximately", "around", "ca", "circa", "nearly", "over", "roughly", "some"]
)
_NUMBER = re.compile(
    rf"(?P<currency>us\$|[{_MONEY}])?\s?(?P<sign>(?<![\w.])-)?(?<![\w.])"
    r"(?P<digits>\d{1,3}(?:[,' ]\d{3})+(?:\.\d+)?(?!\d)"
    r"|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?(?!\d)|\d+(?:[.,]\d+)?)"
    r"(?:\s?(?P<scale>hundred|thousand|millions?|mio|mn|billions?|bn|trillion|tn|[kmb])\b)?"
    rf"(?:\s?(?P<unit>%|°[cf]|[{_MONEY}]|per cent|us dollars?|sq\.? k?m|km²|m²|[a-z]{{1,12}}[²2]?)"
    r"(?![a-z]))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, in the base unit of what it measures.

    Attributes:
        value: the number.
        measure: "length", "USD" and the like; "" for a bare number.
        written: the number as it is written, without its unit's factor.
    """

    value: Decimal
    measure: str = ""
    written: Decimal = Decimal(0)


def quantities(text: str) -> Iterator[Quantity]:
    """The numbers in a text with their units, in its order."""
    for match in _NUMBER.finditer(plain(text)):
        number = _number(match["digits"])
        if number is None:
            continue
        number = -number if match["sign"] else number
        scale, unit = (match["scale"] or "").lower(), _unit_name(match["unit"] or "")
        if unit not in _UNITS:
            unit = _unit_name(match["currency"] or "")
        if scale in _SHORT_SCALES and not match["currency"]:
            # "5 m" is five metres: the letter is the unit.
            scale, unit = "", scale if scale in _UNITS else unit
        if scale:
            number = number.scaleb(_SCALES[scale])
        measure, factor = _UNITS.get(unit, ("", Decimal(1)))
        yield Quantity((number * factor).normalize(), measure, number.normalize())


def _unit_name(unit: str) -> str:
    return unit.lower().replace(".", "").replace(" ", "_")


def _number(digits: str) -> Decimal | None:
    if len(digits) > _MAX_DIGITS:
        return None
    if digits.count(",") == 1 and "." not in digits and not re.fullmatch(r"\d{1,3},\d{3}", digits):
        digits = digits.replace(",", ".")  # a decimal comma
    elif digits.count(".") > 1:
        digits = digits.replace(".", "").replace(",", ".")
    try:
        return Decimal(re.sub(r"[,' ]", "", digits))
    except InvalidOperation:
        return None
