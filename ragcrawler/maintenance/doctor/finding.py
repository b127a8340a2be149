"""What a probe found."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

State = Literal["ok", "warning", "failed", "not used"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One answer.

    Attributes:
        state: "failed" is what a crawl, or what the settings ask for, cannot do without.
        found: what is there, in a sentence.
        todo: what to do; "" where nothing has to be done.
    """

    state: State
    found: str
    todo: str = ""


class Named(NamedTuple):
    """A finding, and what it is about."""

    name: str
    finding: Finding


def unused(found: str, todo: str = "") -> Finding:
    """The settings do not ask for it."""
    return Finding("not used", found, todo)
