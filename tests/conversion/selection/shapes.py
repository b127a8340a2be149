"""Pages in the shapes of well-known programs: `shapes/<kind>-<program>.html`, with exact truth.

A file begins with the page's address in a comment. `[[keep 30]]` becomes 30 words of content, and
`[[drop 30]]` 30 words that are none; the first of them is unique, `keep17` or `drop17`. `[[title 5]]` is the
page's title. What stands between `[[repeat 8]]` and `[[end]]` comes eight times, with other words each time.
"""

import random
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("shapes")
_REPEAT = re.compile(r"\[\[repeat (\d+)\]\](.*?)\[\[end\]\]", re.DOTALL)
_TEXT = re.compile(r"\[\[(title|keep|drop) (\d+)\]\]")
_WORDS = re.findall(
    r"\w+",
    """
    the a of to and in is was for that with on as it by from this which are be at an or not have has
    had were will can water garden house river summer winter people work time year small large young
    old early often always together because before after while under between through without against
    keeps makes finds gives shows leaves grows stone wood metal paper light colour morning evening
    village street market school letter number
    """,
)


@dataclass(frozen=True)
class Shape:
    """A page with what belongs to its content and what does not."""

    name: str
    url: str
    html: str
    kept: frozenset[str]
    dropped: frozenset[str]

    @property
    def kind(self) -> str:
        return self.name.partition("-")[0]


def read_shape(file: Path) -> Shape:
    text = _REPEAT.sub(lambda match: match[2] * int(match[1]), file.read_text(encoding="utf-8"))
    chance = random.Random(file.stem)
    marks: dict[str, list[str]] = {"keep": [], "drop": []}

    def words(match: re.Match[str]) -> str:
        if match[1] == "title":
            return f"The {file.stem.replace('-', ' ')} page about things of the house"
        mark = f"{match[1]}{len(marks[match[1]])}"
        marks[match[1]].append(mark)
        rest = chance.choices(_WORDS, k=int(match[2]) - 1)
        return " ".join((mark, *rest)) + ("." if int(match[2]) > 8 else "")

    html = _TEXT.sub(words, text)
    url = html.partition("<!--")[2].partition("-->")[0].strip()
    return Shape(file.stem, url, html, frozenset(marks["keep"]), frozenset(marks["drop"]))


def read_shapes() -> list[Shape]:
    return [read_shape(file) for file in sorted(FOLDER.glob("*.html"))]
