"""Marks in the text of an Office file, for what docling would lose; behind it they become Markdown.

They are noncharacters, which no text for reading holds.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

GLUE = "\ufdd0"
"""Stands where two runs of one word meet: docling puts a blank between runs."""
_NOTE, _LINK, _MIDDLE, _END = "\ufdd1", "\ufdd2", "\ufdd3", "\ufdd4"
_GLUED = re.compile(f" ?((?:\\*{{1,3}}|~~|`|\\[)?){GLUE}")
_NOTES = re.compile(f" *(?:\\*{{1,3}}|~~)?{_NOTE}(\\d+){_END}(?:\\*{{1,3}}|~~)?")
_LINKS = re.compile(f"{_LINK}(\\d+){_MIDDLE}([^{_END}]*){_END}")
_LEFT = re.compile(f"[{GLUE}{_NOTE}{_LINK}{_MIDDLE}{_END}]")


@dataclass(slots=True)
class Marked:
    """What the marks of one document stand for.

    Attributes:
        notes: Markdown of footnotes and endnotes, in the order of their references.
        links: addresses.
    """

    notes: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)

    def note(self, markdown: str) -> str:
        """The mark of a note."""
        self.notes.append(markdown)
        return f"{_NOTE}{len(self.notes)}{_END}"

    def link(self, text: str, address: str) -> str:
        """The mark of a text that is a link."""
        self.links.append(address)
        return f"{_LINK}{len(self.links) - 1}{_MIDDLE}{text}{_END}"

    def resolve(self, markdown: str) -> str:
        """The Markdown with its marks resolved, the notes below it."""
        text = _GLUED.sub(r"\1", markdown)
        text = _LINKS.sub(lambda found: _shown_link(found, self.links), text)
        text = _NOTES.sub(lambda found: f"[^{found[1]}]" if int(found[1]) <= len(self.notes) else "", text)
        notes = [f"[^{number}]: {_indented(note)}" for number, note in enumerate(self.notes, start=1)]
        return _LEFT.sub("", "\n\n".join([text.rstrip("\n"), *notes])).lstrip("\n") + "\n"


def without_marks(text: str) -> str:
    return _LEFT.sub("", text)


def _shown_link(found: re.Match[str], links: Sequence[str]) -> str:
    number = int(found[1])
    if number >= len(links):
        return found[2]
    address = links[number]
    return f"[{found[2]}](<{address}>)" if set(address) & set("()") else f"[{found[2]}]({address})"


def _indented(note: str) -> str:
    return note.replace("\n\n", "\n\n    ")


def leads_away(address: str) -> bool:
    """Whether a target is an address of the web or of mail, fit for Markdown."""
    try:
        return urlsplit(address).scheme in ("http", "https", "mailto") and not set(address) & set(" <>\n")
    except ValueError:
        return False
