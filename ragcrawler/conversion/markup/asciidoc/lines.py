"""What stands before the markup of AsciiDoc: comments, attributes, conditions, other files."""

import re
from collections import Counter

_ATTRIBUTE = re.compile(r":(!?[\w-]{1,100})!?:(?:[ \t]+(.*))?$")
_REFERENCE = re.compile(r"(?<!\\)\{([\w-]{1,100})\}")
_CONDITION = re.compile(r"(ifdef|ifndef|ifeval|endif)::([^\[]{0,200})\[(.*)\]\s*$")
_INCLUDE = re.compile(r"include::[^\[]{1,500}\[.*\]\s*$")
_VERBATIM = re.compile(r"(-{4,}|\.{4,}|\+{4,}|`{3,})")
_MAX_VALUE_CHARACTERS = 1_000
_MAX_GROWTH_CHARACTERS = 1_000_000
_PREDEFINED = {
    "nbsp": "\u00a0", "sp": " ", "empty": "", "blank": "", "plus": "+", "asterisk": "*", "lt": "<",
    "gt": ">", "amp": "&", "apos": "'", "quot": '"', "lsquo": "\u2018", "rsquo": "\u2019",
    "ldquo": "\u201c", "rdquo": "\u201d", "deg": "\u00b0", "zwsp": "", "wj": "", "vbar": "|",
    "tilde": "~", "backslash": "\\", "backtick": "`", "caret": "^", "startsb": "[", "endsb": "]",
    "cpp": "C++", "two-colons": "::", "two-semicolons": ";;",
}  # fmt: skip


class Source:
    """The lines of a document, prepared.

    Attributes:
        attributes: what the document has set.
        lost: what other files hold, counted by a phrase.
    """

    def __init__(self, text: str) -> None:
        self.attributes: dict[str, str] = dict(_PREDEFINED)
        self.lost: Counter[str] = Counter()
        self._room = _MAX_GROWTH_CHARACTERS
        self._skipping: list[bool] = []
        self._fence = ""
        self._is_comment = False
        self.lines = [line for raw in text.split("\n") if (line := self._line(raw.rstrip())) is not None]

    def substitute(self, text: str) -> str:
        """The text with references to attributes replaced; those of unknown ones stay."""
        if self._room <= 0 or "{" not in text:
            return text

        def value(found: re.Match[str]) -> str:
            known = self.attributes.get(found[1].lower())
            self._room -= len(known or "")
            return found[0] if known is None or self._room <= 0 else known

        return _REFERENCE.sub(value, text)

    def _line(self, line: str) -> str | None:
        condition = _CONDITION.match(line)
        if condition:
            return self._condition(*condition.groups())
        if any(self._skipping):
            return None
        if line.startswith("////") and not line.strip("/"):
            self._is_comment = not self._is_comment
            return None
        if self._is_comment:
            return None
        if _INCLUDE.match(line):
            self.lost["parts of other files"] += 1
            return None
        return self._prose(line)

    def _prose(self, line: str) -> str | None:
        if line.startswith("\\") and (_CONDITION.match(line[1:]) or _INCLUDE.match(line[1:])):
            return line[1:]
        fence = _VERBATIM.match(line)
        if fence and not self._fence:
            self._fence = line
        elif self._fence:
            is_end = line == self._fence or (self._fence.startswith("```") and line == "```")
            self._fence = "" if is_end else self._fence
        elif line.startswith("//") and not line.startswith("///"):
            return None
        elif attribute := _ATTRIBUTE.match(line):
            self._set(attribute[1], attribute[2] or "")
            return None
        return line

    def _set(self, name: str, value: str) -> None:
        if name.startswith("!"):
            self.attributes.pop(name[1:].lower(), None)
        else:
            self.attributes[name.lower()] = self.substitute(value)[:_MAX_VALUE_CHARACTERS]

    def _condition(self, kind: str, names: str, content: str) -> str | None:
        if kind == "endif":
            if self._skipping:
                self._skipping.pop()
            return None
        is_set = any(name.strip().lower() in self.attributes for name in re.split("[,+]", names))
        holds = kind == "ifeval" or is_set == (kind == "ifdef")
        if content and kind != "ifeval":
            return content if holds and not any(self._skipping) else None
        self._skipping.append(not holds)
        return None
