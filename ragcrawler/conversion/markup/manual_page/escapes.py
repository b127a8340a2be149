"""Text of roff as HTML: fonts, special characters, strings.

Source: groff(7) and groff_char(7); only what a page for reading uses.
"""

import re
from html import escape

_ESCAPE = re.compile(
    r"\\(?:"
    r"f(?:\[(?P<font>[^\]]*)\]|\((?P<font2>..)|(?P<font1>.))"
    r"|(?:\((?P<char2>..)|\[(?P<char>[^\]]*)\])"
    r"|\*(?:\[(?P<string>[^\]]*)\]|\((?P<string2>..)|(?P<string1>.))"
    r"|n[+-]?(?:\[[^\]]*\]|\(..|.)"
    r"|s(?:\[[^\]]*\]|\([+-]?\d\d|[+-]?\d{1,2}|'[^']*')"
    r"|[mMFgkV](?:\[[^\]]*\]|\(..|.)"
    r"|[whvbloLDXZCNxSHR]'(?P<measure>[^']*)'"
    r"|z(?=.)"
    r"|(?P<sign>.)"
    r"|$)",
)
_FONTS = {"B": "b", "3": "b", "I": "i", "2": "i", "BI": "b", "4": "b"}
_CODE_FONTS = {"C", "CW", "CR", "CB", "CI", "TT", "L"}
_SIGNS = {
    "-": "-",
    "e": "\\",
    "E": "\\",
    "\\": "\\",
    " ": "\u00a0",
    "~": "\u00a0",
    "0": " ",
    "t": "\t",
    ".": ".",
}
_SIGNS |= {"'": "\u00b4", "`": "`", "_": "_"}
_CHARACTERS = {
    "aq": "'", "dq": '"', "lq": "\u201c", "rq": "\u201d", "oq": "\u2018", "cq": "\u2019", "bu": "\u2022",
    "em": "\u2014", "en": "\u2013", "hy": "-", "mi": "-", "co": "\u00a9", "rg": "\u00ae", "tm": "\u2122",
    "rs": "\\", "ha": "^", "ti": "~", "ga": "`", "sh": "#", "at": "@", "ba": "|", "bv": "|", "br": "|",
    "ul": "_", "sl": "/", "lB": "[", "rB": "]", "lC": "{", "rC": "}", "la": "<", "ra": ">", "or": "|",
    "->": "\u2192", "<-": "\u2190", "ua": "\u2191", "da": "\u2193", "=>": "\u21d2", "<=": "\u2264",
    ">=": "\u2265", "!=": "\u2260", "==": "\u2261", "~~": "\u2248", "+-": "\u00b1", "mu": "\u00d7",
    "di": "\u00f7", "**": "*", "pl": "+", "eq": "=", "fm": "\u2032", "sd": "\u2033", "de": "\u00b0",
    "sc": "\u00a7", "dg": "\u2020", "dd": "\u2021", "ct": "\u00a2", "Do": "$", "Po": "\u00a3",
    "Eu": "\u20ac", "eu": "\u20ac", "Ye": "\u00a5", "12": "\u00bd", "14": "\u00bc", "34": "\u00be",
    "S1": "\u00b9", "S2": "\u00b2", "S3": "\u00b3", "if": "\u221e", "no": "\u00ac", "OK": "\u2713",
    "Fo": "\u00ab", "Fc": "\u00bb", "fo": "\u2039", "fc": "\u203a", "ss": "\u00df", "ae": "\u00e6",
    "AE": "\u00c6", "oe": "\u0153", "/o": "\u00f8", "/O": "\u00d8", "*a": "\u03b1", "*b": "\u03b2",
    "*m": "\u03bc", "*p": "\u03c0", "mc": "\u00b5", "ci": "\u25cb", "sq": "\u25a1", "lh": "\u261c",
    "rh": "\u261e", "fi": "fi", "fl": "fl", "ff": "ff", "bq": "\u201a", "Bq": "\u201e", "r!": "\u00a1",
    "r?": "\u00bf",
}  # fmt: skip
_ACCENTS = {
    "'": "\u0301",
    "`": "\u0300",
    ":": "\u0308",
    "^": "\u0302",
    "~": "\u0303",
    ",": "\u0327",
    "o": "\u030a",
}
_UNICODE = re.compile(r"u([0-9A-F]{4,6})(?:_([0-9A-F]{4,6}))?")
_LAST_CHARACTER = 0x10FFFF
_PREDEFINED = {
    "R": "\u00ae",
    "Tm": "\u2122",
    "lq": "\u201c",
    "rq": "\u201d",
    "S": "",
    "q": '"',
    "-": "\u2010",
}
_PREDEFINED |= {"C+": "C++", "--": "\u2013", "PI": "\u03c0", 'L"': '"', 'R"': '"', "C`": "", "C'": ""}
_MAX_STRING_CHARACTERS = 1_000


class Roff:
    """The strings that a page has defined, and its text with escapes as HTML."""

    def __init__(self) -> None:
        self._strings = dict(_PREDEFINED)

    def define(self, name: str, value: str) -> None:
        """Remember a string, as plain text and bounded."""
        self._strings[name] = self.plain(value.removeprefix('"'))[:_MAX_STRING_CHARACTERS]

    def html(self, text: str, font: str = "") -> str:
        """The text with its fonts as elements; it begins and ends in `font`, an element or ""."""
        pieces: list[str] = []
        run: list[str] = []
        now = before = font

        def close() -> None:
            if run:
                pieces.append(_element(now, "".join(run)))
                run.clear()

        end = 0
        for found in _ESCAPE.finditer(text):
            run.append(text[end : found.start()])
            end = found.end()
            name = found["font"] if found["font"] is not None else found["font2"] or found["font1"]
            if name is None:
                run.append(self._character(found))
                continue
            close()
            now, before = (before if name in ("P", "") else _font(name)), now
        run.append(text[end:])
        close()
        return "".join(pieces)

    def plain(self, text: str) -> str:
        """The text without fonts, not escaped."""
        pieces = []
        end = 0
        for found in _ESCAPE.finditer(text):
            pieces.append(text[end : found.start()])
            end = found.end()
            if found["font"] is None and not found["font2"] and not found["font1"]:
                pieces.append(self._character(found))
        return "".join(pieces) + text[end:]

    def _character(self, found: re.Match[str]) -> str:
        name = found["char"] if found["char"] is not None else found["char2"]
        if name is not None:
            return _special(name)
        string = found["string"] if found["string"] is not None else found["string2"] or found["string1"]
        if string is not None:
            return self._strings.get(string, "")
        return _SIGNS.get(found["sign"] or "", "")


def _special(name: str) -> str:
    known = _CHARACTERS.get(name)
    if known is not None:
        return known
    code = _UNICODE.fullmatch(name)
    if code:
        numbers = [int(number, 16) for number in code.groups() if number]
        return "".join(chr(number) for number in numbers if number <= _LAST_CHARACTER)
    return name[1] + _ACCENTS[name[0]] if name[:1] in _ACCENTS and name[1:].isalpha() else ""


def _font(name: str) -> str:
    return "code" if name in _CODE_FONTS else _FONTS.get(name, "")


def _element(tag: str, text: str) -> str:
    """The text in an element, its blanks outside of it."""
    if not tag or not text.strip():
        return escape(text, quote=False)
    inner = text.strip()
    start = text.index(inner)
    return f"{text[:start]}<{tag}>{escape(inner, quote=False)}</{tag}>{text[start + len(inner) :]}"
