"""A line of `mdoc`: macros that call each other, and marks of punctuation that go to the word before."""

from collections.abc import Iterator

from ragcrawler.conversion.markup.manual_page.escapes import Roff
from ragcrawler.conversion.markup.manual_page.writer import GLUE

_CLOSING = {".", ",", ";", ":", "?", "!", ")", "]"}
_OPENING = {"(", "["}
_FONTS = {
    **dict.fromkeys(("Cm", "Ic", "Sy", "Nm", "Cd", "Ms", "Fd"), "b"),
    **dict.fromkeys(("Ar", "Pa", "Em", "Va", "Vt", "Fa", "Ft", "Ad"), "i"),
    **dict.fromkeys(("Li", "Ql", "Ev", "Dv", "Er", "Fn", "In"), "code"),
    **dict.fromkeys(("No", "Tn", "An", "St", "Lb", "Nd", "Ap", "Bt", "Ud", "Lk", "Mt"), ""),
    **dict.fromkeys(("%A", "%T", "%B", "%J", "%D", "%N", "%V", "%P", "%I", "%R", "%U", "%O", "%Q", "%C"), ""),
}
_AROUND = {
    "Op": ("[", "]"),
    "Sq": ("\u2018", "\u2019"),
    "Dq": ("\u201c", "\u201d"),
    "Qq": ('"', '"'),
    "Pq": ("(", ")"),
    "Bq": ("[", "]"),
    "Brq": ("{", "}"),
    "Aq": ("&lt;", "&gt;"),
    "Q": ('"', '"'),
}
_OPEN_AND_CLOSE = {"O": "Op", "S": "Sq", "D": "Dq", "Q": "Qq", "P": "Pq", "B": "Bq", "Br": "Brq", "A": "Aq"}
_OPENERS = {f"{stem}o": _AROUND[name][0] for stem, name in _OPEN_AND_CLOSE.items()}
_CLOSERS = {f"{stem}c": _AROUND[name][1] for stem, name in _OPEN_AND_CLOSE.items()}
_SYSTEMS = {
    "Ux": "UNIX",
    "Bx": "BSD",
    "Fx": "FreeBSD",
    "Nx": "NetBSD",
    "Ox": "OpenBSD",
    "Dx": "DragonFly",
    "At": "AT&amp;T UNIX",
}
_UNSEEN = {"Bk", "Ek", "Bf", "Ef", "Sm", "Rs", "Re", "Tg", "Os"}
_NOTHING = {*_UNSEEN, "Xo", "Xc", "Fo", "Fc", "Eo", "Ec", "Es", "En"}
_SENTENCES = {
    "Ex": "The {} utility exits 0 on success, and >0 if an error occurs.",
    "Rv": "Upon success, 0 is returned; otherwise -1, and errno is set.",
}
_WRITTEN: dict[str, tuple[str, ...]] = {
    **{name: (sign, GLUE) for name, (sign, _) in _AROUND.items()},
    **{name: (sign, GLUE) for name, sign in _OPENERS.items()},
    **{name: (GLUE, sign) for name, sign in _CLOSERS.items()},
    **{name: (system,) for name, system in _SYSTEMS.items()},
    "Ns": (GLUE,),
    "Ap": (GLUE, "'", GLUE),
    "Ta": ("\t",),
}
"""What a macro writes by itself."""
_PATTERNS = {"Fl": ("-{}", "b"), "In": ("#include <{}>", "code")}
_SPECIAL = {"Fl", "Xr", "Ns", "Pf", "Ta", "Ex", "Rv"}


class MdocLine:
    """Writes lines as HTML; remembers the name of the program, which `Nm` alone repeats.

    Attributes:
        section: the heading over the line.
    """

    def __init__(self, roff: Roff) -> None:
        self._roff = roff
        self._name = ""
        self._is_spaced = True
        self._glue = ""
        self._in_function = False
        self._comma = ""
        self.section = ""

    @property
    def names(self) -> frozenset[str]:
        """All macros that may stand in a line."""
        return frozenset({*_FONTS, *_AROUND, *_OPENERS, *_CLOSERS, *_SYSTEMS, *_NOTHING, *_SPECIAL})

    def macro(self, name: str, arguments: list[str]) -> str:
        """A line that begins with a macro."""
        if name == "Sm":
            self._is_spaced = arguments[:1] != ["off"]
            self._glue = ""
        if name in _UNSEEN or arguments[:1] in (["-split"], ["-nosplit"]):
            return ""
        if name in _SENTENCES:
            return _SENTENCES[name].format(self._roff.html(self._name, "b"))
        if name == "Nd":
            return f"\u2013 {self.words(arguments)}"
        if name in ("Lk", "Mt") and arguments:
            address = arguments[0] if name == "Lk" else f"mailto:{arguments[0]}"
            return self._link(address, arguments[name == "Lk" :])
        if name in ("Fn", "Fo", "Fa", "Fc") and (self._in_function or name in ("Fn", "Fo")):
            return self._function(name, arguments)
        return self.words([name, *arguments])

    def words(self, arguments: list[str]) -> str:
        """Arguments, some of which may be names of macros."""
        pieces = self._pieces(list(arguments))
        if self._is_spaced:
            return " ".join(pieces)
        start, self._glue = self._glue, GLUE
        return start + GLUE.join(pieces)

    def _pieces(self, words: list[str]) -> Iterator[str]:
        around: list[str] = []
        marks = self._take_marks(words)
        name = ""
        used = True
        for word in words:
            if word in self.names and not (word in _SYSTEMS and name in _FONTS):
                yield from self._unused(name, used)
                name, used = word, False
                if word in _AROUND:
                    around.append(_AROUND[word][1])
                yield from _WRITTEN.get(word, ())
                continue
            yield from self._word(name, word, used)
            used = True
        yield from self._unused(name, used)
        for mark in [*reversed(around), *marks]:
            yield from (GLUE, mark)

    def _word(self, name: str, word: str, used: bool) -> Iterator[str]:
        if word in _CLOSING:
            yield from self._unused(name, used)
            yield from (GLUE, word)
        elif word in _OPENING:
            yield from (word, GLUE)
        elif name == "Xr" and used:
            yield from (GLUE, f"({self._roff.html(word)})")
        elif name == "Pf" and not used:
            yield from (self._roff.html(word), GLUE)
        else:
            yield self._styled(name, word)

    def _styled(self, name: str, word: str) -> str:
        if name == "Nm" and not self._name:
            self._name = word
        pattern, font = _PATTERNS.get(name, ("{}", _FONTS.get(name, "")))
        return self._roff.html(pattern.format(word), font)

    def _unused(self, name: str, used: bool) -> Iterator[str]:
        """What a macro without arguments says."""
        if used:
            return
        if name == "Nm" and self._name:
            yield self._roff.html(self._name, "b")
        elif name == "Fl":
            yield "<b>-</b>"
        elif name == "Ar":
            yield "<i>file</i> <i>...</i>"

    def _function(self, name: str, arguments: list[str]) -> str:
        """A function with its arguments, in one line (`Fn`) or several (`Fo`, `Fa`, `Fc`)."""
        if name == "Fc":
            self._in_function = False
            return f"{GLUE}){self._marks(arguments)}"
        if name == "Fa":
            comma, self._comma = self._comma, f"{GLUE}, "
            return comma + self._roff.html(", ".join(arguments), "i")
        if not arguments:
            return ""
        called = self._roff.html(arguments[0], "code") + "("
        if name == "Fo":
            self._in_function, self._comma = True, ""
            return called + GLUE
        given = [word for word in arguments[1:] if word not in _CLOSING]
        return f"{called}{self._roff.html(', '.join(given), 'i')}){self._marks(arguments[1:])}"

    def _take_marks(self, words: list[str]) -> list[str]:
        """Take the punctuation from the end of a line: it stands behind everything that the line opens."""
        marks: list[str] = []
        while len(words) > 1 and words[-1] in _CLOSING:
            marks.insert(0, words.pop())
        return marks

    def _marks(self, words: list[str]) -> str:
        return "".join(word for word in words if word in _CLOSING)

    def _link(self, address: str, words: list[str]) -> str:
        words = list(words)
        marks = "".join(self._take_marks(words))
        shown = self.words(words) or address.removeprefix("mailto:")
        target = address.replace("&", "&amp;").replace('"', "%22").replace("<", "%3C")
        return f'<a href="{target}">{shown}</a>{marks}'
