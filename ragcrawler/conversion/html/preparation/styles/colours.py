"""Text in the colour of what is behind it."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import tinycss2
from tinycss2.color4 import Color, parse_color

from ragcrawler.conversion.html.preparation.styles.declarations import short_numbers

Values = Mapping[str, str]
_NEAR = 0.04  # of each channel; less contrast cannot be read
_TOKEN = re.compile(r"#?[a-z][a-z0-9]*|#[a-f0-9]+")  # a name or a code of a colour, and nothing beside it
_CLIPPED = ("background-clip", "-webkit-background-clip")  # the text shows the background: it is seen


class Colour(NamedTuple):
    """In sRGB, from 0 to 1."""

    red: float
    green: float
    blue: float
    alpha: float


WHITE = Colour(1.0, 1.0, 1.0, 1.0)


@lru_cache(maxsize=1024)
def read_colour(value: str) -> Colour | None:
    """The colour; None for what depends on something else (`inherit`, `var(...)`) or is none."""
    parsed = parse_color(short_numbers(value))
    if not isinstance(parsed, Color) or parsed.space not in ("srgb", "hsl", "hwb"):
        return None
    channels = parsed.to("srgb") if parsed.space != "srgb" else parsed
    red, green, blue = (channel or 0.0 for channel in channels.coordinates)
    return Colour(red, green, blue, 1.0 if parsed.alpha is None else parsed.alpha)


def background(values: Values) -> Colour | None:
    """The colour that is declared; None for none, and beside a picture or a gradient."""
    return _read_background(values.get("background-color", ""), values.get("background", ""))


@lru_cache(maxsize=1024)
def _read_background(colour: str, shorthand: str) -> Colour | None:
    if "(" in shorthand and read_colour(shorthand) is None:
        return None
    if _TOKEN.fullmatch(colour or shorthand):
        return read_colour(colour or shorthand)
    nodes = tinycss2.parse_component_value_list(short_numbers(colour or shorthand))
    parts = (tinycss2.serialize([node]) for node in nodes)
    return next((colour for colour in map(read_colour, parts) if colour is not None), None)


def has_background(values: Values) -> bool:
    """Whether one is declared, even one that cannot be read."""
    if not values:
        return False
    return any(values.get(name, "none") not in ("none", "transparent", "initial") for name in _BACKGROUNDS)


def is_clipped_to_text(values: Values) -> bool:
    """Whether the background is what is seen of the letters."""
    return any(values.get(name) == "text" for name in _CLIPPED)


def is_unseen(colour: Colour, behind: Colour) -> bool:
    """Whether text of a colour cannot be told from what is behind it."""
    if colour.alpha <= _NEAR:
        return True
    return all(abs(one - other) <= _NEAR for one, other in zip(colour[:3], behind[:3], strict=True))


_BACKGROUNDS = ("background", "background-color")
