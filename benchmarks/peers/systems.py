"""Ways from an HTML page to passages: who takes the main content out, and who cuts it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import semchunk
import trafilatura
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

from ragcrawler.bootstrap.chunk_setup import ChunkSetup
from ragcrawler.chunking import TokenCounter
from ragcrawler.conversion import ConversionError, convert

Texts = Sequence[tuple[str, str]]  # of each passage: what is shown, what is embedded
Extract = Callable[[bytes, str], str]
Split = Callable[[str, str], Texts]

_HEADINGS = [("#" * level, f"Header {level}") for level in range(1, 7)]


@dataclass(frozen=True)
class System:
    """A way from a page to passages."""

    name: str
    extract: Extract  # of (HTML, URL): Markdown
    split: Split  # of (Markdown, URL): passages


def systems(setup: ChunkSetup, size: int) -> list[System]:
    """Ours first; each of the peers' splitters behind each extraction. `size` is theirs, in tokens."""
    count = setup.tokens.count
    splitters: dict[str, Split] = {
        "LangChain recursive": partial(_alike, recursive(count, size)),
        "LangChain Markdown headings": partial(_alike, by_headings(count, size)),
        "semchunk": partial(_alike, semchunk.chunkerify(count, size)),
        "fixed windows": partial(_alike, windows(setup.tokens, size)),
    }
    extractors: dict[str, Extract] = {"trafilatura": by_trafilatura, "ragcrawler": by_ragcrawler}
    peers = [
        System(f"{extractor} + {splitter}", extract, split)
        for extractor, extract in extractors.items()
        for splitter, split in splitters.items()
    ]
    own = partial(_own, setup)
    return [
        System("ragcrawler", by_ragcrawler, own),
        System("trafilatura + ragcrawler", by_trafilatura, own),
        *peers,
    ]


def by_ragcrawler(page: bytes, url: str) -> str:
    """The Markdown of the main content; "" where there is none."""
    try:
        return convert(page, "text/html", url).markdown
    except ConversionError:
        return ""


def by_trafilatura(page: bytes, url: str) -> str:
    """The same by trafilatura, with what it can keep of the structure."""
    kept = trafilatura.extract(
        page,
        url=url,
        output_format="markdown",
        include_formatting=True,
        include_tables=True,
        include_links=False,
        favor_recall=True,
    )
    return kept or ""


def recursive(count: Callable[[str], int], size: int) -> Callable[[str], list[str]]:
    """LangChain's splitter along the marks of Markdown."""
    return RecursiveCharacterTextSplitter.from_language(
        "markdown", chunk_size=size, chunk_overlap=0, length_function=count
    ).split_text


def by_headings(count: Callable[[str], int], size: int) -> Callable[[str], list[str]]:
    """LangChain's sections, their headings kept in the text, the long ones cut further."""
    sections = MarkdownHeaderTextSplitter(_HEADINGS, strip_headers=False)
    further = recursive(count, size)
    return lambda text: [
        part for section in sections.split_text(text) for part in further(section.page_content)
    ]


def windows(tokens: TokenCounter, size: int) -> Callable[[str], list[str]]:
    """As many words as fit, whatever stands there."""

    def split(text: str) -> list[str]:
        made: list[str] = []
        window: list[str] = []
        room = size
        words = text.split()
        for word, cost in zip(words, tokens.count_batch(words), strict=True):
            if cost > room and window:
                made.append(" ".join(window))
                window, room = [], size
            window.append(word)
            room -= cost
        return [*made, " ".join(window)] if window else made

    return split


def _alike(split: Callable[[str], list[str]], markdown: str, _url: str) -> Texts:
    return [(text, text) for text in split(markdown) if text.strip()] if markdown.strip() else []


def _own(setup: ChunkSetup, markdown: str, url: str) -> Texts:
    made = setup.chunks(markdown, url) if markdown.strip() else []
    return [(chunk.content, chunk.embed_text) for chunk in made]
