"""Listings are known by their shape; content that looks like one is not."""

import pytest

from ragcrawler.chunking import ChunkingConfig, chunk_markdown
from ragcrawler.chunking.output.listings import listing_kind
from ragcrawler.chunking.output.releases import is_release_page, release_headings, release_version


def listed(*labels: str, indent: str = "") -> str:
    return "\n".join(
        f"{indent}- [{label}](https://a.example/page#{number})" for number, label in enumerate(labels)
    )


LETTERS = ("abort", "backup", "cancel", "delete", "export", "fetch", "grep", "halt", "import")
CHAPTERS = ("Installation", "Quick start", "Usage", "Answers", "Internals", "Development")
SHAPES = {
    "an index: terms in order": (listed(*LETTERS), "index"),
    "an index in a table": (
        "| | |\n|-|-|\n" + "\n".join(f"| [{each}](#{each}) | [{each}()](#{each}2) |" for each in LETTERS),
        "index",
    ),
    "contents: links in the order of the text": (f"## Contents\n\n{listed(*CHAPTERS)}", "contents"),
    "contents that are nested": (f"{listed(*CHAPTERS)}\n{listed(*CHAPTERS, indent='  ')}", "contents"),
    "contents whose labels are whole questions": (
        listed(*(f"How do I do the thing that is number {number}?" for number in range(6))),
        "contents",
    ),
    "contents in Japanese": (listed("はじめに", "導入", "設定", "使い方", "質問", "索引"), "contents"),
    "contents of a printed book": (
        "\n".join(f"{name} ........ {number * 7}" for number, name in enumerate(CHAPTERS)),
        "contents",
    ),
    "the index of a printed book": ("\n\n".join(f"{each}, 3, 17–19" for each in LETTERS), "index"),
    "a few bare links": ("[Previous](/a) | [Up](/) | [Next](/b)", "links"),
    "a paragraph with links": (
        "Read [the manual](/m) first, then ask on [the list](/l), where people answer questions.",
        "",
    ),
    "links with a sentence about each": (
        "\n".join(
            f"- [{each}](#{each}): does what its name says to the file that is given" for each in LETTERS
        ),
        "",
    ),
    "a list without links": ("\n".join(f"- {each}" for each in LETTERS), ""),
    "a table of data that ends in numbers": (
        "| status | code |\n|-|-|\n"
        + "\n".join(f"| {each} | {number} |" for number, each in enumerate(LETTERS)),
        "",
    ),
    "sorted lines that end in numbers, as prose": (
        "\n".join(
            f"{each} takes {number} bytes on disk and then some" for number, each in enumerate(LETTERS)
        ),
        "",
    ),
    "one link": ("[The manual](/manual)", ""),
    "pictures alone": ("![A picture of a tree](/tree.png) ![A picture of a house](/house.png)", ""),
    "code": ("```\nabort 1\nbackup 2\ncancel 3\n```", ""),
    "no letters": ("***", ""),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("content", "kind"), SHAPES.values(), ids=SHAPES.keys())
def test_a_listing_is_known_by_its_shape(content: str, kind: str) -> None:
    assert listing_kind(content) == kind


@pytest.mark.parametrize(
    ("heading", "version"),
    [
        ("Version 1.2.3 (2020-01-31)", (1, 2, 3)),
        ("Scrapy 2.6.0 (2022-03-01)", (2, 6, 0)),
        ("1.0.7rc1", (1, 0, 7)),
        ("[1.4.0] - 2023-05-02", (1, 4, 0)),
        ("v3.1, 4 May 2021", (3, 1)),
        ("Versión 2.0 – 3 de mayo de 2021", (2, 0)),
        ("Version 1.2.0a2 and earlier (2019-02-24)", (1, 2, 0)),
        ("バージョン 1.5.0", (1, 5, 0)),
        ("2.1 Installing the program", ()),
        ("3.4.2 Options", ()),
        ("Python 3.8 and why you may want to upgrade to it soon", ()),
        ("Options", ()),
        ("", ()),
    ],
)
def test_a_heading_names_a_release_by_its_shape(heading: str, version: tuple[int, ...]) -> None:
    assert release_version(heading) == version


@pytest.mark.parametrize(
    ("headings", "count"),
    [
        (["1.2", "1.1", "1.0"], 3),
        (["Version 1.0 (2019-01-01)", "Version 1.1 (2019-02-01)", "Version 1.2 (2019-03-01)"], 3),
        (["Release 2.0", "Bug fixes", "Release 1.9", "Bug fixes", "Release 1.8"], 3),
        (["Figure 1.1", "Figure 1.2", "Figure 1.3"], 0),
        (["1.1", "1.2", "1.3", "2.1"], 0),
        (["Python 3.9", "Python 3.8"], 0),
    ],
)
def test_releases_are_several_and_fall_or_have_dates(headings: list[str], count: int) -> None:
    assert len(release_headings(headings)) == count


@pytest.mark.parametrize(
    ("url", "name", "is_release"),
    [
        ("https://a.example/releases/3.2.1.html", "Django 3.2.1 release notes", True),
        ("https://a.example/RelNotes/v2.30.txt", "Git v2.30", True),
        ("https://a.example/releases/3.2.1/", "Release 3.2.10", False),
        ("https://a.example/3.2/install.html", "Installing 3.2", False),
        ("https://a.example/3.2/", "Documentation", False),
    ],
)
def test_a_page_of_one_release_has_its_version_for_a_name(url: str, name: str, is_release: bool) -> None:
    assert is_release_page(url, [name]) == is_release


class Words:
    limit = 500
    additive = True

    def count(self, text: str) -> int:
        return len(text.split())

    def count_batch(self, texts: list[str]) -> list[int]:
        return [self.count(text) for text in texts]


def test_chunks_carry_their_kind() -> None:
    """Text before the first release is content, and so is all of a page without releases."""
    notes = "".join(
        f"## Version 1.{number}\n\n- Fix what was wrong with number {number}.\n\n" for number in (3, 2, 1)
    )
    text = f"# Changes\n\nHow releases are numbered and made.\n\n{notes}## Contents\n\n{listed(*CHAPTERS)}\n"
    config = ChunkingConfig(max_tokens=20, target_tokens=12, min_tokens=2, overlap_tokens=0)
    chunks = chunk_markdown(text, config=config, tokens=Words(), document_id="d")
    kinds = [(chunk.parent_section, chunk.extra.kind) for chunk in chunks]
    assert ("Changes", "") in kinds
    assert ("Version 1.3", "changelog") in kinds
    assert ("Contents", "contents") in kinds
    plain = chunk_markdown(
        text.replace("Version 1.", "Part "), config=config, tokens=Words(), document_id="d"
    )
    assert {chunk.extra.kind for chunk in plain} == {"", "contents"}
