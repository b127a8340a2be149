"""A page as it is read: its Markdown, and the parts that fit a call."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ragcrawler.items import Document
from ragcrawler.research.evidence.facts import PageQuote
from ragcrawler.research.evidence.sentences import Sentence, number_sentences


@dataclass(frozen=True, slots=True)
class PageText:
    """A snapshot of a page.

    Attributes:
        url: of the document.
        title: "" where it has none.
        markdown: as it was converted.
        page_hash: SHA-256 of it, hexadecimal.
        spans: of its chunks, half-open offsets in ascending order.
        suspicious: passages that read like instructions to a model.
    """

    url: str
    title: str
    markdown: str
    page_hash: str
    spans: tuple[tuple[int, int], ...]
    suspicious: tuple[str, ...] = ()

    @classmethod
    def of(cls, document: Document) -> "PageText":
        """The snapshot of a document; one span where its chunks do not say where they come from."""
        spans = sorted((chunk.start, chunk.end) for chunk in document.chunks if chunk.end)
        found = (each for chunk in document.chunks for each in chunk.extra.suspicious)
        return cls(
            document.url,
            document.title,
            document.markdown,
            document.content_hash,
            tuple(spans) or ((0, len(document.markdown)),),
            tuple(dict.fromkeys(found)),
        )

    def quote(self, sentence: Sentence) -> PageQuote:
        """Our own text at the place of a sentence."""
        return PageQuote(self.url, self.page_hash, sentence.start, sentence.end, sentence.text(self.markdown))

    def parts(self, max_characters: int) -> Iterator[list[Sentence]]:
        """The sentences in parts of at most so many characters, numbers going on from part to part."""
        sizes = 0
        labelled = []
        for sentence in number_sentences(self.markdown, self.spans):
            sizes += sentence.end - sentence.start
            labelled.append((sizes // max_characters, sentence))
        for _, part in groupby(labelled, key=lambda pair: pair[0]):
            yield [sentence for _, sentence in part]

    @property
    def is_suspicious(self) -> bool:
        """Whether it holds a passage that reads like an instruction: no fact of it confirms anything then."""
        return bool(self.suspicious)


def shown(sentences: Sequence[Sentence], markdown: str) -> list[list[int | str]]:
    """Sentences as a model is shown them: number and text."""
    return [[sentence.number, sentence.text(markdown)] for sentence in sentences]
