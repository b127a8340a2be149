"""The words of a block as a line of Markdown: links, code, emphasis."""

from collections.abc import Sequence
from itertools import groupby

from ragcrawler.conversion.escaping import escape_inline
from ragcrawler.conversion.pdf.hyphens import Hyphens
from ragcrawler.conversion.pdf.text import Line, Word, join_words

_Kind = tuple[str, bool, bool, bool]


class InlineWriter:
    """Writes running text of one document."""

    def __init__(self, hyphens: Hyphens, *, mono: bool) -> None:
        """Take what is known of the document: its words, and whether its running text is monospaced."""
        self._hyphens = hyphens
        self._mono = mono

    def write(self, lines: Sequence[Line], *, plain: bool = False) -> str:
        """Lines as one, with Markdown's marks unless `plain`."""
        text = ""
        for line in lines:
            written = self.plain(line.words) if plain else self._marked(line.words)
            text = self._hyphens.join(text, written) if text else written
        return text

    def plain(self, words: Sequence[Word]) -> str:
        """Words without marks, escaped."""
        return escape_inline(join_words(words))

    def _marked(self, words: Sequence[Word]) -> str:
        emphasised = {word.style for word in words} != {words[0].style}
        parts = []
        for kind, run in groupby(words, key=lambda word: self._kind(word, emphasised=emphasised)):
            held = list(run)
            parts.append((" " if held[0].spaced and parts else "") + self._mark(kind, held))
        return "".join(parts)

    def _kind(self, word: Word, *, emphasised: bool) -> _Kind:
        style = word.style
        code = style.mono and not self._mono
        return (
            word.link,
            code,
            emphasised and style.bold and not code,
            emphasised and style.italic and not code,
        )

    def _mark(self, kind: _Kind, words: Sequence[Word]) -> str:
        link, code, bold, italic = kind
        text = join_words(words)
        if code:
            marks = "``" if "`" in text else "`"
            written = f"{marks}{text}{marks}" if "``" not in text else escape_inline(text)
        else:
            stars = "*" * (2 * bold + italic)
            written = _emphasise(escape_inline(text), stars)
        return f"[{written}]({link})" if link else written


def _emphasise(text: str, stars: str) -> str:
    """Emphasis that Markdown reads back: it begins and ends beside a letter or digit."""
    if not stars or not (text[0].isalnum() and text[-1].isalnum()):
        return text
    return f"{stars}{text}{stars}"
