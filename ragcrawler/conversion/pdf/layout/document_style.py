"""The usual font size and line spacing of a document."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from ragcrawler.conversion.pdf.reading.page import PageContent

_DEFAULT_LEADING = 1.2
_FEWEST_DISTANCES = 5
_INDENT = 3.0  # in units of the font size
_MONO_DOCUMENT = 0.6  # a share of monospaced characters at which they are no sign of code


@dataclass(frozen=True, slots=True)
class DocumentStyle:
    """The looks of running text.

    Attributes:
        size: font size of most characters, in points.
        leading: distance of baselines in units of the font size.
        mono: running text itself is monospaced.
    """

    size: float
    leading: float
    mono: bool


def document_style(pages: Iterable[PageContent]) -> DocumentStyle:
    """Measure a document's running text."""
    sizes: Counter[tuple[float, bool]] = Counter()
    leadings: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            sizes[line.style.size, line.style.mono] += len(line.text)
        for one, other in pairwise(page.lines):
            distance = (other.baseline - one.baseline) / max(one.style.size, 1.0)
            indent = abs(other.box.x0 - one.box.x0) / max(one.style.size, 1.0)
            # of two lines of a paragraph; the cells of two rows do not stand at one edge
            if one.style == other.style and 0.9 < distance < 2.5 and indent < _INDENT:  # noqa: PLR2004
                leadings[round(distance, 1)] += 1
    mono = sum(count for (_, is_mono), count in sizes.items() if is_mono)
    is_mono = mono > _MONO_DOCUMENT * sum(sizes.values())
    running = Counter({key: count for key, count in sizes.items() if is_mono or not key[1]}) or sizes
    return DocumentStyle(
        size=running.most_common(1)[0][0][0] if running else 10.0,
        leading=_leading(leadings),
        mono=is_mono,
    )


def _leading(leadings: Counter[float]) -> float:
    """The commonest distance of lines, where there are enough of them to tell."""
    common = [leading for leading, count in leadings.most_common(1) if count >= _FEWEST_DISTANCES]
    return common[0] if common else _DEFAULT_LEADING
