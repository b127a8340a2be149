"""The words of a block as a line of Markdown: links, code, emphasis."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from ragcrawler.conversion.escaping import escape_inline
from ragcrawler.conversion.pdf.layout.footnotes import FootnoteLabels, is_raised_number
from ragcrawler.conversion.pdf.reading.text.lines import Line, Style, Word, join_words
from ragcrawler.conversion.pdf.writing.hyphens import Hyphens

_REFERENCE = Style("footnote reference", 0.0)

_Kind = tuple[str, bool, bool, bool]


class InlineWriter:
    """Writes running text of one document."""

    def __init__(self, hyphens: Hyphens, footnotes: FootnoteLabels, *, mono: bool) -> None:
        """Take what is known of the document.

        Args:
            hyphens: its words.
            footnotes: its footnotes.
            mono: its running text is monospaced.
        """
        self._hyphens = hyphens
        self._mono = mono
        self.footnotes = footnotes

    def write(self, lines: Sequence[Line], *, plain: bool = False) -> str:
        """Lines as one, with Markdown's marks unless `plain`."""
        words = self._flow(lines)
        return escape_inline(join_words(words)) if plain else self._marked(words)

    def _flow(self, lines: Sequence[Line]) -> list[Word]:
        """The words of all lines, those that were divided put together again."""
        words: list[Word] = []
        for line in lines:
            first, *rest = self._mark_references(line)
            if words:
                last, first = self._join(words[-1], first)
                words[-1] = last
            words += [first, *rest]
        return words

    def _mark_references(self, line: Line) -> list[Word]:
        """The words of a line, each reference to a footnote marked by a style of its own."""
        return [self._reference(word, line) if is_raised_number(word, line) else word for word in line.words]

    def _reference(self, word: Word, line: Line) -> Word:
        label = self.footnotes.label(line.page, word.text)
        return replace(word, text=f"[^{label}]", style=_REFERENCE) if label else word

    def _join(self, last: Word, first: Word) -> tuple[Word, Word]:
        """Two words at a line's end and start, the hyphen between them judged."""
        if first.link and first.link == last.link:
            for end in (last.text, last.text.rstrip("-\u2010")):  # an address that was divided
                if (end + first.text).strip("()<>[],.") in first.link:
                    return replace(last, text=end), replace(first, spaced=False)
        end, between = self._hyphens.join(last.text, first.text)
        return replace(last, text=end), replace(first, spaced=bool(between))

    def _marked(self, words: Sequence[Word]) -> str:
        if not words:
            return ""
        emphasised = {word.style for word in words} != {words[0].style}
        parts: list[str] = []
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
        text = _without_printed_address(join_words(words), link)
        if words[0].style is _REFERENCE:
            return text
        if code:
            marks = "``" if "`" in text else "`"
            written = f"{marks}{text}{marks}" if "``" not in text else escape_inline(text)
        else:
            stars = "*" * (2 * bold + italic)
            written = _emphasise(escape_inline(text), stars)
        return f"[{written}]({link})" if link else written


def _without_printed_address(text: str, link: str) -> str:
    """Print puts a link's address behind it in brackets; Markdown says it anyway."""
    label, bracket, address = text.rpartition("(")
    is_printed = link and bracket and label.strip() and address.replace(" ", "").rstrip(").") == link
    return label.strip() if is_printed else text


def _emphasise(text: str, stars: str) -> str:
    """Emphasis that Markdown reads back: it begins and ends beside a letter or digit."""
    if not stars or not (text[0].isalnum() and text[-1].isalnum()):
        return text
    return f"{stars}{text}{stars}"
