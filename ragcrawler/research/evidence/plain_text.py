"""Text as it is compared: apart from case, accents, white space, Markdown and the kind of its marks."""

import re
import unicodedata

_LINK_TARGET = re.compile(r"""\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+"[^"]*")?\)""")
_MARKUP = re.compile(r"[*_`~\\\[\]#>|]+")
_ALIKE = str.maketrans(
    {
        "\u2019": "'",
        "\u2018": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u2010": "-",
        "\u2011": "-",
        "\u2012": "-",
        "\u2013": "-",
        "\u2014": "-",
        "\u2212": "-",
        "\u2026": "...",
    }
)
_WORD = re.compile(r"[^\W_]+(?:\.(?=[^\W_])[^\W_]+)*")


def plain(text: str) -> str:
    """The text without markup, its marks alike, white space as single blanks; case and accents stay."""
    alike = unicodedata.normalize("NFKC", text).translate(_ALIKE)
    return " ".join(_MARKUP.sub(" ", _LINK_TARGET.sub("]", alike)).split())


def words(text: str) -> tuple[str, ...]:
    """Its words and numbers, folded: without case and accents. `U.S` is one word, `well-known` are two."""
    decomposed = unicodedata.normalize("NFKD", plain(text).casefold())
    bare = "".join(character for character in decomposed if not unicodedata.combining(character))
    return tuple(_WORD.findall(bare))


def holds(text: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether the wanted words stand in a text one after the other."""
    if not wanted:
        return False
    return any(text[index : index + len(wanted)] == wanted for index in range(len(text) - len(wanted) + 1))
